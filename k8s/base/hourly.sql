-- Once an hour: customers and their history from what the continuous run has appended.

SET 'sluice.pipeline' = 'hourly';

-- One row per living customer (SCD type 1).
CREATE OR REFRESH STREAMING TABLE customers;

CREATE FLOW customers_now AS
AUTO CDC INTO customers
FROM STREAM customer_changes
KEYS (customer_id)
APPLY AS DELETE WHEN operation = 'DELETE'
SEQUENCE BY changed_at
COLUMNS * EXCEPT (operation)
STORED AS SCD TYPE 1;

-- One row per period with the same city and tier (SCD type 2).
CREATE OR REFRESH STREAMING TABLE customers_history;

CREATE FLOW customers_periods AS
AUTO CDC INTO customers_history
FROM STREAM customer_changes
KEYS (customer_id)
APPLY AS DELETE WHEN operation = 'DELETE'
SEQUENCE BY changed_at
COLUMNS * EXCEPT (operation, changed_at)
STORED AS SCD TYPE 2
TRACK HISTORY ON (city, tier);
