import githubSlack from './notify/github-slack.json';
import feedSlack from './notify/feed-slack.json';
import stripeFailedPaymentSlack from './notify/stripe-failed-payment-slack.json';
import stripeMail from './notify/stripe-mail.json';
import slackCommand from './notify/slack-command.json';
import pollSlack from './notify/poll-slack.json';
import delayedReminder from './notify/delayed-reminder.json';
import welcomeSeries from './notify/welcome-series.json';
import approvalByEmail from './people/approval-by-email.json';
import dayOff from './people/day-off.json';
import purchaseRequest from './people/purchase-request.json';
import contactForm from './people/contact-form.json';
import invoiceApproval from './people/invoice-approval.json';
import chatAssistant from './people/chat-assistant.json';
import supportAgent from './people/support-agent.json';
import supportRouting from './people/support-routing.json';
import ordersByValue from './people/orders-by-value.json';
import researchAgent from './report/research-agent.json';
import sqlReport from './report/sql-report.json';
import tableDigest from './report/table-digest.json';
import pagedExport from './report/paged-export.json';
import mergeSources from './report/merge-sources.json';
import invoiceReader from './files/invoice-reader.json';
import csvTable from './files/csv-table.json';
import emailCsvTable from './files/email-csv-table.json';
import csvExcel from './files/csv-excel.json';
import watchPage from './files/watch-page.json';
import nightlyBackup from './files/nightly-backup.json';
import webhookS3 from './files/webhook-s3.json';
import markdownMail from './files/markdown-mail.json';
import stripeTable from './files/stripe-table.json';
import leadHubspot from './sales/lead-hubspot.json';
import hubspotTable from './sales/hubspot-table.json';
import hubspotDeals from './sales/hubspot-deals.json';
import shopifyLargeOrder from './sales/shopify-large-order.json';
import shopifyDailySales from './sales/shopify-daily-sales.json';
import shopifyHubspot from './sales/shopify-hubspot.json';
import webhookSalesforce from './sales/webhook-salesforce.json';
import dynamicsAccount from './sales/dynamics-account.json';
import docusignContract from './sales/docusign-contract.json';
import docusignSigned from './sales/docusign-signed.json';
import sapOrder from './sales/sap-order.json';
import websiteMonitor from './operate/website-monitor.json';
import n8nFailuresMail from './operate/n8n-failures-mail.json';
import errorHandler from './operate/error-handler.json';
import deadLetters from './operate/dead-letters.json';
import deadLettersAgain from './operate/dead-letters-again.json';
import alertServicenow from './operate/alert-servicenow.json';
import googleNightStop from './operate/google-night-stop.json';
import bugReportTrello from './operate/bug-report-trello.json';
import githubTriage from './operate/github-triage.json';
import graphUrgentMail from './operate/graph-urgent-mail.json';
import spotifyPlaylist from './operate/spotify-playlist.json';
import fetchTransformPost from './pattern/fetch-transform-post.json';
import processList from './pattern/process-list.json';
import batches from './pattern/batches.json';
import waitForExport from './pattern/wait-for-export.json';
import waitForCallback from './pattern/wait-for-callback.json';
import subWorkflowEach from './pattern/sub-workflow-each.json';
import apiEndpoint from './pattern/api-endpoint.json';
import aiClassify from './pattern/ai-classify.json';
import aiSummary from './pattern/ai-summary.json';
import codeStep from './pattern/code-step.json';
import formSheetsSlack from './people/form-sheets-slack.json';
import telegramExpenses from './notify/telegram-expenses.json';
import gmailDrive from './files/gmail-drive.json';
import gmailTelegram from './notify/gmail-telegram.json';
import calendarSlack from './report/calendar-slack.json';
import sheetsMailing from './sales/sheets-mailing.json';
import typeformAirtable from './sales/typeform-airtable.json';
import apifyBaserow from './sales/apify-baserow.json';
import calendlyPipedrive from './sales/calendly-pipedrive.json';
import stripeMailchimp from './sales/stripe-mailchimp.json';
import woocommerceWhatsapp from './sales/woocommerce-whatsapp.json';
import wordpressDiscord from './notify/wordpress-discord.json';
import githubLinear from './operate/github-linear.json';
import gitlabJira from './operate/gitlab-jira.json';
import zendeskAsana from './operate/zendesk-asana.json';
import formMonday from './people/form-monday.json';
import outageClickupSms from './operate/outage-clickup-sms.json';
import notionDueTasks from './report/notion-due-tasks.json';
import supabaseDropbox from './files/supabase-dropbox.json';

/** Every template as it is written, in the order in which they are shown. */
export const TEMPLATE_FILES: readonly unknown[] = [
  githubSlack,
  feedSlack,
  stripeFailedPaymentSlack,
  stripeMail,
  slackCommand,
  pollSlack,
  delayedReminder,
  welcomeSeries,
  telegramExpenses,
  gmailTelegram,
  wordpressDiscord,
  approvalByEmail,
  dayOff,
  purchaseRequest,
  contactForm,
  invoiceApproval,
  chatAssistant,
  supportAgent,
  supportRouting,
  ordersByValue,
  researchAgent,
  formSheetsSlack,
  formMonday,
  sqlReport,
  tableDigest,
  pagedExport,
  mergeSources,
  invoiceReader,
  calendarSlack,
  notionDueTasks,
  csvTable,
  emailCsvTable,
  csvExcel,
  watchPage,
  nightlyBackup,
  webhookS3,
  markdownMail,
  stripeTable,
  gmailDrive,
  supabaseDropbox,
  leadHubspot,
  hubspotTable,
  hubspotDeals,
  shopifyLargeOrder,
  shopifyDailySales,
  shopifyHubspot,
  webhookSalesforce,
  dynamicsAccount,
  docusignContract,
  docusignSigned,
  sapOrder,
  sheetsMailing,
  typeformAirtable,
  apifyBaserow,
  calendlyPipedrive,
  stripeMailchimp,
  woocommerceWhatsapp,
  websiteMonitor,
  n8nFailuresMail,
  errorHandler,
  deadLetters,
  deadLettersAgain,
  alertServicenow,
  googleNightStop,
  bugReportTrello,
  githubTriage,
  graphUrgentMail,
  spotifyPlaylist,
  githubLinear,
  gitlabJira,
  zendeskAsana,
  outageClickupSms,
  fetchTransformPost,
  processList,
  batches,
  waitForExport,
  waitForCallback,
  subWorkflowEach,
  apiEndpoint,
  aiClassify,
  aiSummary,
  codeStep,
];
