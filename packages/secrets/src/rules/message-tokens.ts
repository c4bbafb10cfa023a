/** Tokens and webhook URLs of messaging services. Listed here where the maintained rule set has no rule, or one that is too narrow. */
import type { SecretRule } from './secret-rule.ts';

export const messageTokens: SecretRule[] = [
  {
    id: 'slack-token',
    severity: 'high',
    reason: 'a token or configuration token of Slack',
    patterns: [
      /(?<![\w-])xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{20,300}/g,
      /(?<![\w-])xapp-[A-Za-z0-9-]{20,300}/g,
      /(?<![\w-])xwfp-[A-Za-z0-9-]{20,300}/g,
    ],
    matches: [
      'xoxp-{dg12}-{dg12}-{dg12}-{hx32}',
      'xapp-{dg1}-{uc11}-{dg13}-{hx64}',
      'xoxe.xoxp-{dg1}-{an120}',
    ],
    leaves: ['/xox[baprs]-[0-9a-zA-Z-]{10,}/', 'xoxb-your-token'],
  },
  {
    id: 'slack-hook',
    severity: 'high',
    reason: 'a URL with which anyone can post to a channel or start a workflow',
    patterns: [/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/+]{20,100}/g],
    matches: ['https://hooks.slack.com/services/T{uc8}/B{uc8}/{an24}'],
    leaves: ['https://hooks.slack.com/services/T…/B…/…'],
  },
  {
    id: 'webhook-address',
    severity: 'high',
    reason: 'a URL with which anyone can post to Teams or start a workflow',
    patterns: [
      /webhook\.office\.com\/webhookb2\/[\w@-]{60,100}\/IncomingWebhook\/[\w-]{20,60}/g,
      /hooks\.zapier\.com\/hooks\/catch\/\d{4,12}\/\w{5,20}/g,
    ],
    matches: ['https://a.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{hx32}/{uuid}'],
    leaves: ['https://hooks.zapier.com/hooks/catch/<id>/<key>'],
  },
  {
    id: 'discord-webhook',
    severity: 'high',
    reason: 'a URL with which anyone can post to a channel',
    patterns: [/discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,21}\/[\w-]{40,100}/g],
    matches: [
      'fetch("https://discord.com/api/webhooks/{dg18}/{b64u68}")',
      'discordapp.com/api/v10/webhooks/{dg19}/{b64u68}',
    ],
    leaves: ['https://discord.com/api/webhooks/<id>/<token>'],
  },
  {
    id: 'discord-bot-token',
    severity: 'high',
    reason: 'the token of a Discord bot: its id in base64, a time and a signature',
    patterns: [/(?<![\w.-])[MNO][A-Za-z0-9]{22,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g],
    matches: ['TOKEN=M{an23}.{b64u6}.{b64u27}', "login('O{an25}.{b64u6}.{b64u38}')"],
    leaves: ['M{an23}.map', 'node_modules.prisma.client'],
  },
  {
    id: 'telegram-bot-token',
    severity: 'high',
    reason: 'the token of a Telegram bot',
    patterns: [/(?<![\w-])\d{8,10}:AA[\w-]{33}(?![\w-])/g],
    matches: ['bot = "{dg9}:AA{b64u33}"'],
    leaves: ['{dg9}:AA'],
  },
  {
    id: 'mail-key',
    severity: 'high',
    reason: 'a key of SendGrid, Mailgun, Mailchimp, Postmark or Brevo',
    patterns: [
      /(?<![\w.-])SG\.[\w-]{16,32}\.[\w-]{32,64}(?![\w-])/g,
      /(?<![\w.-])key-[0-9a-f]{32}(?![\w-])/g,
      /(?<=(?<![\w-])(?<secret>[0-9a-f]{32}))-us\d{1,2}(?![\w-])/g,
      /xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/g,
      /(?<![\w-])re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![\w-])/g,
    ],
    matches: [
      'new Resend("re_{an8}_{an24}")',
      'SENDGRID_API_KEY=SG.{b64u22}.{b64u43}',
      'api:key-{hx32}',
      'const m = "{hx32}-us12"',
      'xkeysib-{hx64}-{an16}',
    ],
    leaves: ['SG.methods.sendMail', 'key-value'],
  },
  {
    id: 'twilio-key',
    severity: 'high',
    reason: 'an API key of Twilio',
    patterns: [/(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g],
    matches: ['const key = "SK{hx32}"'],
    leaves: ['SK{hx40}', 'AC{hx32}'],
  },
];
