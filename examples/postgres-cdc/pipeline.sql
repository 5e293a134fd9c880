-- The tables customers and orders of a PostgreSQL database, from Debezium's events in Kafka.
-- Another broker is given with --set servers=HOST:PORT.
SET 'execution.checkpointing.interval' = '1 s';
SET 'sluice.unavailable-value' = '__debezium_unavailable_value';

CREATE TEMPORARY VIEW customer_events AS
SELECT
  COALESCE(after.id, before.id) AS id,
  after.name AS name,
  after.city AS city,
  after.tier AS tier,
  after.since AS since,
  after.notes AS notes,
  op,
  source
FROM STREAM read_kafka(
  bootstrapServers => '${servers}',
  topic => 'shop.public.customers',
  format => 'debezium-json',
  schema => 'id BIGINT, name STRING, city STRING, tier STRING, since DATE, notes STRING'
)
WHERE op <> 'm';

CREATE TEMPORARY VIEW order_events AS
SELECT
  COALESCE(after.customer_id, before.customer_id) AS customer_id,
  COALESCE(after.line, before.line) AS line,
  after.item AS item,
  CAST(after.amount AS DECIMAL(10, 2)) AS amount,
  after.placed_at AS placed_at,
  op,
  source
FROM STREAM read_kafka(
  bootstrapServers => '${servers}',
  topic => 'shop.public.orders',
  format => 'debezium-json',
  schema => 'customer_id BIGINT, line INT, item STRING, amount STRING, placed_at TIMESTAMP'
)
WHERE op <> 'm';

-- A table of SCD type 2 has no truncates; see docs/debezium.md.
CREATE TEMPORARY VIEW customer_row_events AS
SELECT * FROM STREAM(customer_events) WHERE op <> 't';

CREATE OR REFRESH STREAMING TABLE customers;

CREATE FLOW customers_now AS
AUTO CDC INTO customers
FROM STREAM(customer_events)
KEYS (id)
APPLY AS DELETE WHEN op = 'd'
APPLY AS TRUNCATE WHEN op = 't'
SEQUENCE BY debezium_sequence('postgres')
COLUMNS * EXCEPT (op, source)
STORED AS SCD TYPE 1;

CREATE OR REFRESH STREAMING TABLE customers_history;

CREATE FLOW customers_periods AS
AUTO CDC INTO customers_history
FROM STREAM(customer_row_events)
KEYS (id)
APPLY AS DELETE WHEN op = 'd'
SEQUENCE BY debezium_sequence('postgres')
COLUMNS * EXCEPT (op, source, notes)
STORED AS SCD TYPE 2;

CREATE OR REFRESH STREAMING TABLE orders;

CREATE FLOW orders_now AS
AUTO CDC INTO orders
FROM STREAM(order_events)
KEYS (customer_id, line)
APPLY AS DELETE WHEN op = 'd'
APPLY AS TRUNCATE WHEN op = 't'
SEQUENCE BY debezium_sequence('postgres')
COLUMNS * EXCEPT (op, source)
STORED AS SCD TYPE 1;
