import type { ConnectorChoiceSource } from '../../choices';

const ofAudience = { parameters: { limit: 100 }, parametersFrom: { list: 'list' } };

/** What lists the choices of Mailchimp. https://mailchimp.com/developer/marketing/api/ */
export const mailchimpChoices: Record<string, ConnectorChoiceSource> = {
  audiences: {
    operation: 'lists.list',
    parameters: { limit: 100 },
    value: 'id',
    label: ['name'],
    hint: 'stats.member_count',
  },
  members: {
    ...ofAudience,
    operation: 'members.list',
    value: 'email_address',
    label: ['full_name', 'email_address'],
    hint: 'email_address',
  },
  tags: {
    operation: 'tags.search',
    parametersFrom: { list: 'list' },
    value: 'name',
    label: ['name'],
    search: 'name',
  },
  campaigns: {
    operation: 'campaigns.list',
    parameters: { limit: 100 },
    value: 'id',
    label: ['settings.title', 'settings.subject_line'],
    hint: 'status',
  },
  merge_fields: {
    ...ofAudience,
    operation: 'merge_fields.list',
    value: 'tag',
    label: ['name'],
    hint: 'help_text',
    column: {
      type: 'type',
      types: { number: 'number', address: 'json', radio: 'options', dropdown: 'options' },
      isRequired: { when: 'required' },
      options: { at: ['options.choices'], value: '', label: [''] },
    },
  },
};
