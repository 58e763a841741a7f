-- When a person was seen to have the address of their account; null: they only said so, when they signed up.
ALTER TABLE "app_user" ADD COLUMN "email_proven_at" TIMESTAMPTZ(3);
UPDATE "app_user" SET "email_proven_at" = "created_at";
