-- Run once by the launcher after a build: the classes that an update needs are archived, so that
-- later starts are fast.
CREATE STREAMING TABLE training;

CREATE FLOW training_changes AS
AUTO CDC INTO training
FROM STREAM read_files('${training}/feed', format => 'json')
KEYS (id)
APPLY AS DELETE WHEN op = 'D'
SEQUENCE BY at
COLUMNS * EXCEPT (op, _rescued_data)
STORED AS SCD TYPE 2;

CREATE STREAMING TABLE training_raw AS
SELECT * FROM STREAM read_files('${training}/feed', format => 'json');
