-- A run may go up to one node only; and a node that failed remembers each of its tries.
ALTER TABLE "execution" ADD COLUMN     "until_node" TEXT;
ALTER TABLE "node_result" ADD COLUMN     "tries" JSON;
