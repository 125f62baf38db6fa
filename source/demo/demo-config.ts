/** The text of the demo's `config.yaml`. Strings are written as JSON, which YAML reads. */
export function demoConfig(options: {
	readonly command: string;
	readonly args: readonly string[];
	readonly weatherUrl: string;
	readonly libraryUrl: string;
}): string {
	return `# The configuration of the demo: made at its start, thrown away at its end.

# The demo fires by itself, so it must not spend what a key of yours costs.
model:
  provider: none

mcp_servers:
  # A separate program, over stdio. Untrusted: tools that are not read-only ask for your approval.
  garden:
    command: ${JSON.stringify(options.command)}
    args: ${JSON.stringify(options.args)}
    trust: untrusted

  # Over Streamable HTTP. Trusted: its tools run without asking.
  weather:
    url: ${JSON.stringify(options.weatherUrl)}
    trust: full

  # Wants a login with a code: press L. Normally you would type the code on any device; here, a robot does it after a while.
  library:
    url: ${JSON.stringify(options.libraryUrl)}
    auth: oauth
    oauth:
      flow: device

# Any free port, so that the demo disturbs nothing else.
gateway:
  endpoint:
    port: 0

platforms:
  webhook:
    enabled: true
    host: 127.0.0.1
    # Any free port. The global secret is WEBHOOK_SECRET in the file .env beside this one.
    port: 0
    routes:
      # Without a model, every accepted event becomes an item of the inbox with this prompt.
      demo-issues:
        events: [issues]
        prompt: |
          {issue.user.login} opened issue {issue.number} in {repository.full_name}: "{issue.title}".
          Add a task to the garden board if something is to be done.

      # Pushes to any other branch are ignored.
      demo-pushes:
        events: [push]
        filters:
          - field: ref
            equals: refs/heads/main
        prompt: 'Pushed to {repository.full_name}: {head_commit.message}'
`;
}

/** The text of the demo's `.env`. It overrides the person's own environment. */
export function demoEnvironment(secret: string): string {
	return `WEBHOOK_ENABLED=true\nWEBHOOK_PORT=0\nWEBHOOK_SECRET=${secret}\n`;
}
