-- How the outputs of a node that ran once for each item are divided among its ports. Null: `port` has all of them.
ALTER TABLE node_result ADD COLUMN port_shares json;
-- Where the items of an output came from, as positions in the list of its node. Null: nothing reads it.
ALTER TABLE node_result ADD COLUMN origins json;
