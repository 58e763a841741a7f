-- `connector:use` was not checked. Roles whose members could save nodes that call connectors get it, so that what they have published goes on.
UPDATE role SET permissions = (
  SELECT json_agg(one.permission) FROM (
    SELECT value AS permission FROM json_array_elements(role.permissions)
    UNION ALL SELECT '{"resource": "connector", "action": "use"}'::json
  ) one
)
WHERE EXISTS (
  SELECT FROM json_array_elements(role.permissions) p
  WHERE p ->> 'resource' IN ('workflow', 'poll', '*') AND p ->> 'action' IN ('create', 'update', '*')
)
AND NOT EXISTS (
  SELECT FROM json_array_elements(role.permissions) p
  WHERE p ->> 'resource' IN ('connector', '*') AND p ->> 'action' IN ('use', '*') AND p -> 'conditions' IS NULL
);

-- Existing webhooks take tokens without a time of expiry as before; new ones refuse them.
ALTER TABLE webhook ADD COLUMN allow_without_expiry boolean NOT NULL DEFAULT true;
