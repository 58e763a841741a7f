-- What is limited per day: one row per counter, begun anew with each day (UTC). Logged, unlike rate buckets: a restart
-- must not give a workspace its mails of the day again.
CREATE TABLE "daily_use" (
    "scope" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "daily_use_pkey" PRIMARY KEY ("scope")
);

-- Accounts from before addresses were confirmed may go on sending mail. Their address is still not proven: sign-in
-- providers must not be linked to them by it.
ALTER TABLE "app_user" ADD COLUMN     "is_mail_trusted" BOOLEAN NOT NULL DEFAULT false;
UPDATE "app_user" SET "is_mail_trusted" = true WHERE "email_proven_at" IS NULL;
