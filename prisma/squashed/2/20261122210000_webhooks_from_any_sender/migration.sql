-- What a webhook accepts: methods, how senders are verified, what becomes the input, from which addresses.
ALTER TABLE "webhook"
  ADD COLUMN "methods" TEXT[] DEFAULT ARRAY['POST']::TEXT[],
  ADD COLUMN "verification" JSONB,
  ADD COLUMN "input" TEXT NOT NULL DEFAULT 'body',
  ADD COLUMN "allowed_ips" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "enabled" BOOLEAN NOT NULL DEFAULT true;
