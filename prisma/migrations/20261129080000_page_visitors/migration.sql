-- Who has filled in the page of a form: the same page sent twice is answered the same, but only to that visitor.
ALTER TABLE "received_call" ADD COLUMN "visitor" TEXT;
