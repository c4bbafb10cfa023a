/** How package managers report that they cannot reach a registry. The group is the host or the registry. */

export interface Unreachable {
  pattern: RegExp;
  /** Where the message names no host. */
  host?: string;
}

const host = '([\\w-]+(?:\\.[\\w-]+)+)';
const withHost = (pattern: string): Unreachable => ({ pattern: new RegExp(pattern.replace('HOST', host)) });

export const unreachable: Unreachable[] = [
  // Go
  withHost(
    '\\bGet "https?://HOST[/:][^"]*": (?:dial tcp|net/http|proxyconnect|context deadline|EOF|.*lookup)',
  ),
  { pattern: /\bmodule lookup disabled by GOPROXY=off\b/, host: 'proxy.golang.org' },
  {
    pattern: /^go: (?:download|downloading) go\d.*: (?:toolchain not available|.*dial tcp)/,
    host: 'proxy.golang.org',
  },
  // Rust
  {
    pattern:
      /^ *(?:failed to fetch|Unable to update) (?:`https:\/\/github\.com\/rust-lang\/crates\.io-index`|registry `crates-io`)/i,
    host: 'crates.io',
  },
  { pattern: /^error: failed to (?:download|get) .*\bcrates\.io\b/, host: 'crates.io' },
  {
    pattern: /^ *failed to download (?:from )?`?https:\/\/(?:index|static)\.crates\.io\b/,
    host: 'crates.io',
  },
  {
    pattern: /^warning: spurious network error .*(?:\bcrates\.io\b|\[6\] Could(?: not|n't) resolve)/,
    host: 'crates.io',
  },
  { pattern: /^As a reminder, you're using offline mode\b/, host: 'crates.io' },
  // JavaScript
  withHost('^npm (?:ERR!|error) (?:network )?request to https?://HOST[/:].* failed'),
  withHost('^npm (?:ERR!|error) .*getaddrinfo (?:ENOTFOUND|EAI_AGAIN) HOST$'),
  withHost(
    '^.*\\bWARN\\b.* GET https?://HOST/.* error \\((?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\\)',
  ),
  withHost('\\bERR_PNPM_META_FETCH_FAIL\\b.*https?://HOST/'),
  withHost('^error .*https?://HOST/.*: (?:getaddrinfo|connect) (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED)'),
  withHost('\\bYN\\d{4}: .*RequestError: getaddrinfo (?:ENOTFOUND|EAI_AGAIN) HOST'),
  withHost('\\bError when performing the request to https?://HOST/'),
  {
    pattern: /^error: (?:ConnectionRefused|FailedToOpenSocket|DNS\w*) (?:downloading|resolving|fetching) /,
    host: 'registry.npmjs.org',
  },
  withHost("^error: (?:.*\\bImport|Download) 'https?://HOST/[^']*' failed"),
  // Python
  withHost('^error: Failed to fetch: `https?://HOST/'),
  withHost('^(?:  Caused by: |error: )Failed to (?:fetch|download).*https?://HOST/'),
  withHost('\\bAll attempts to connect to HOST failed\\b'),
  withHost("^(?:ERROR|WARNING): .*HTTPSConnectionPool\\(host='HOST'"),
  { pattern: /^WARNING: Retrying \(Retry\(.*connection broken by\b/, host: 'pypi.org' },
  {
    pattern: /^ERROR: Could not find a version that satisfies the requirement .* \(from versions: none\)$/,
    host: 'pypi.org',
  },
  // Ruby, PHP
  withHost('^Could not reach host HOST\\.'),
  withHost(
    '^(?:Gem::RemoteFetcher::FetchError|Bundler::HTTPError|Fetching source index|ERROR: .*Could not find a valid gem).*https?://HOST\\b',
  ),
  withHost('\\bcurl error \\d+ while downloading https?://HOST/'),
  // Java
  withHost(
    '\\bCould not transfer artifact .* \\(https?://HOST[/)].*(?:Unknown host|Connection|transfer failed|timed out|Temporary failure)',
  ),
  withHost('\\bCannot access \\S+ \\(https?://HOST[/)].* in offline mode\\b'),
  withHost('^Exception in thread "main" java\\.net\\.(?:UnknownHost|Connect|SocketTimeout)Exception: HOST'),
  withHost("^ *>? *Could not (?:GET|HEAD|resolve) 'https?://HOST/"),
  { pattern: /^ *>? *No cached version of \S+ available for offline mode\b/, host: 'Maven Central' },
  // Programs that download files
  withHost('^curl: \\(\\d+\\) (?:Could not resolve host: |Failed to connect to )HOST'),
  withHost('^wget: unable to resolve host address [‘\'"]HOST'),
  withHost("^fatal: unable to access 'https?://HOST/[^']*': (?:Could not resolve|Failed to connect)"),
];

/** The registries behind hosts that people do not know. */
export const registryOf: Record<string, string> = {
  'index.crates.io': 'crates.io',
  'static.crates.io': 'crates.io',
  'index.rubygems.org': 'rubygems.org',
  'repo.maven.apache.org': 'Maven Central (repo.maven.apache.org)',
  'repo1.maven.org': 'Maven Central (repo1.maven.org)',
  'files.pythonhosted.org': 'pypi.org',
  'repo.packagist.org': 'packagist.org',
};
