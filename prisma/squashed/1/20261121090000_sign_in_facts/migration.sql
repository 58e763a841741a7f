-- AlterTable
ALTER TABLE "sso_attempt" DROP COLUMN "facts";
