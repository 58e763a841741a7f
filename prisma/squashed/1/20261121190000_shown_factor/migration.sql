-- When this login showed a second factor. Turning one on ended every login that had not.
ALTER TABLE "session" ADD COLUMN "factor_at" TIMESTAMPTZ(3);
UPDATE "session" s SET "factor_at" = s."created_at" FROM "app_user" u
  WHERE u."id" = s."user_id" AND u."mfa_enabled_at" IS NOT NULL AND s."method" = 'password';
