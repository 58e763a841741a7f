-- Set: the output is large, and workers read it only when something needs it.
ALTER TABLE "node_result" ADD COLUMN     "large_bytes" INTEGER;
