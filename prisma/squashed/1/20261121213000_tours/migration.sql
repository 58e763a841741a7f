-- Who was shown around in one browser isn't in the next.
ALTER TABLE "app_user" ADD COLUMN "tour_ended_at" TIMESTAMPTZ(3);
