-- What picked parameters of a subscription were called. Without effect on what the provider has.
ALTER TABLE webhook_subscription ADD COLUMN labels json;
