-- All the time: a topic, appended to a table and kept by key.

SET 'sluice.pipeline' = 'live';
SET 'execution.checkpointing.interval' = '30 s';

CREATE TEMPORARY VIEW arriving AS
SELECT customer_id, name, email, city, tier, operation, changed_at
FROM STREAM read_kafka(
  bootstrapServers => '${KAFKA_BROKERS}',
  topic => 'customers',
  format => 'json',
  schema => 'customer_id INT, name STRING, email STRING, city STRING, tier STRING,
             operation STRING, changed_at TIMESTAMP'
);

-- Every change as it came.
CREATE OR REFRESH STREAMING TABLE customer_changes;

CREATE FLOW changes_appended AS
INSERT INTO customer_changes BY NAME
SELECT * FROM arriving;

-- Who lives where now.
CREATE OR REFRESH STREAMING TABLE customers_live;

CREATE FLOW customers_kept AS
AUTO CDC INTO customers_live
FROM STREAM(arriving)
KEYS (customer_id)
APPLY AS DELETE WHEN operation = 'DELETE'
SEQUENCE BY changed_at
COLUMNS * EXCEPT (operation)
STORED AS SCD TYPE 1;
