-- Names and sizes of the attachments of a mail that was stored instead of sent.
ALTER TABLE outbox_mail ADD COLUMN attachments json;
