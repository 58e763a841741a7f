-- A subscription of a workflow that is not live may lack its account.
ALTER TABLE "webhook_subscription" ALTER COLUMN "credential_id" DROP NOT NULL;
