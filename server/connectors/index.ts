import type { Connector } from './connector';
import { airtable } from './providers/data/airtable';
import { docusign } from './providers/docusign';
import { dynamics365 } from './providers/dynamics365';
import { googleCloud } from './providers/google-cloud';
import { google } from './providers/google/google';
import { hubspot } from './providers/hubspot';
import { microsoftGraph } from './providers/microsoft-graph';
import { salesforce } from './providers/salesforce';
import { sap } from './providers/sap';
import { servicenow } from './providers/servicenow';
import { shopify } from './providers/shopify';
import { slack } from './providers/messages/slack';
import { spotify } from './providers/spotify';
import { telegram } from './providers/messages/telegram';
import { trello } from './providers/trello';

/** All connectors. A new one is a file in `providers/` and a line here. */
export const connectors: readonly Connector[] = [
  shopify,
  hubspot,
  spotify,
  servicenow,
  trello,
  dynamics365,
  googleCloud,
  microsoftGraph,
  docusign,
  salesforce,
  sap,
  google,
  slack,
  telegram,
  airtable,
];

export const connectorOf = (id: string | null): Connector | undefined => connectors.find((one) => one.id === id);
