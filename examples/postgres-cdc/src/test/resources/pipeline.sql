SET 'execution.checkpointing.interval' = '200 ms';
SET 'sluice.reorder-window' = '20 ms';
SET 'sluice.unavailable-value' = '__debezium_unavailable_value';

CREATE TEMPORARY VIEW item_changes AS
SELECT
  COALESCE(after.id, before.id) AS id,
  after.name, CAST(after.price AS DECIMAL(12, 2)) AS price, after.weight, after.active, after.changed, after.seen, after.born,
  after.doc, after.note, op, source
FROM STREAM read_kafka(
  bootstrapServers => '${servers}',
  topic => 'shop.public.items',
  format => 'debezium-json',
  schema => 'id INT, name STRING, price STRING, weight DOUBLE, active BOOLEAN,
             changed TIMESTAMP, seen TIMESTAMP, born DATE, doc STRING, note STRING'
)
WHERE op <> 'm';

CREATE TEMPORARY VIEW part_changes AS
SELECT
  COALESCE(after.a, before.a) AS a,
  COALESCE(after.b, before.b) AS b,
  after.quantity, after.note, op, source
FROM STREAM read_kafka(
  bootstrapServers => '${servers}',
  topic => 'shop.public.parts',
  format => 'debezium-json',
  schema => 'a INT, b STRING, quantity BIGINT, note STRING'
)
WHERE op <> 'm';

CREATE TEMPORARY VIEW item_row_changes AS SELECT * FROM STREAM(item_changes) WHERE op <> 't';
CREATE TEMPORARY VIEW part_row_changes AS SELECT * FROM STREAM(part_changes) WHERE op <> 't';

CREATE OR REFRESH STREAMING TABLE items;
CREATE FLOW items_now AS
AUTO CDC INTO items FROM STREAM(item_changes)
KEYS (id)
APPLY AS DELETE WHEN op = 'd'
APPLY AS TRUNCATE WHEN op = 't'
SEQUENCE BY debezium_sequence('postgres')
COLUMNS * EXCEPT (op, source)
STORED AS SCD TYPE 1;

CREATE OR REFRESH STREAMING TABLE items_history;
CREATE FLOW items_then AS
AUTO CDC INTO items_history FROM STREAM(item_row_changes)
KEYS (id)
APPLY AS DELETE WHEN op = 'd'
SEQUENCE BY debezium_sequence('postgres')
COLUMNS * EXCEPT (op, source)
STORED AS SCD TYPE 2;

CREATE OR REFRESH STREAMING TABLE parts;
CREATE FLOW parts_now AS
AUTO CDC INTO parts FROM STREAM(part_changes)
KEYS (a, b)
APPLY AS DELETE WHEN op = 'd'
APPLY AS TRUNCATE WHEN op = 't'
SEQUENCE BY debezium_sequence('postgres')
COLUMNS * EXCEPT (op, source)
STORED AS SCD TYPE 1;

CREATE OR REFRESH STREAMING TABLE parts_history;
CREATE FLOW parts_then AS
AUTO CDC INTO parts_history FROM STREAM(part_row_changes)
KEYS (a, b)
APPLY AS DELETE WHEN op = 'd'
SEQUENCE BY debezium_sequence('postgres')
COLUMNS * EXCEPT (op, source)
STORED AS SCD TYPE 2;
