import { z } from 'zod';
import { allowedHostsField, secretText } from './credential-fields';
import { boundedText } from '../text';

/** A part of the scope of a signature: lower case, as in the names of hosts of AWS. */
const signatureScopeField = (title: string, example: string) =>
  boundedText(1, 63)
    .regex(/^[a-z0-9-]+$/, { error: 'must have lower-case letters, digits and hyphens only' })
    .optional()
    .meta({ title, examples: [example] });

/** Keys that sign requests by Signature Version 4 of AWS. */
export const AwsCredentialConfig = z.strictObject({
  accessKeyId: boundedText(1, 200)
    .regex(/^[\w.@+=-]+$/, { error: 'must be the id of an access key' })
    .meta({ title: 'Access key ID' }),
  secretAccessKey: secretText('Secret access key'),
  sessionToken: secretText('Session token')
    .regex(/^[^\r\n]*$/, { error: 'must be one line' })
    .optional()
    .meta({ description: 'Only for temporary credentials.' }),
  region: signatureScopeField('Region', 'eu-central-1').meta({
    description: 'Used if the host of a request does not name the region. Empty: us-east-1.',
  }),
  service: signatureScopeField('Service', 's3').meta({
    description: 'Used if the host of a request does not name the service: s3 for an S3-compatible storage.',
  }),
  allowedHosts: allowedHostsField,
});
