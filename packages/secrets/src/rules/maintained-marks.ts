// What a text must contain for a maintained rule to match, taken from the patterns of this version;
// a rule that is not listed always runs. A test fails when another version is installed: update this list then.
export const readFromVersion = '13.0.7';

export const maintainedMarks: Record<string, string[]> = {
  '1password': ['ops_ey'],
  anthropic: ['sk-ant-api0'],
  aws: ['secret'],
  basicauth: ['://'],
  cloudflare: ['cfk_', 'cfut_', 'cfat_'],
  'database-connection-string': ['mongodb', 'mysql', 'postgres'],
  databricks: ['dapi'],
  docker: ['dckr_pat_'],
  figma: ['figd_'],
  github: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
  gitlab: ['glpat-'],
  grafana: ['glc_', 'glsa_'],
  groq: ['gsk_'],
  'hashicorp-vault': ['hvs.', 'hvb.', 'hvr.'],
  huggingface: ['hf_'],
  linear: ['lin_api_'],
  notion: ['ntn_'],
  npm: [':x-oauth-basic@', '_authToken=', 'npm_'],
  openai: ['T3BlbkFJ'],
  privatekey: ['PRIVATE KEY'],
  sendgrid: ['SG.'],
  shopify: ['shppa_', 'shpca_', 'shpat_', 'shpss_'],
  slack: ['xoxb-', 'xoxp-', 'xapp-', 'xoxa-', 'xoxo-', 'xoxr-', 'hooks.slack.com'],
  stripe: ['k_live_', 'k_test_'],
  tailscale: ['tskey-'],
  vercel: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
};
