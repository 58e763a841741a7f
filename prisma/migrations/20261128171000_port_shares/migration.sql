-- How the outputs of a node that ran once for each item are divided among its ports. Null: `port` has all of them.
ALTER TABLE node_result ADD COLUMN port_shares json;
