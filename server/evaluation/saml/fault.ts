/** Why a message of a SAML provider is refused, as a sentence for people. */
export class SamlFault extends Error {}
