import {type Command} from '../cli/command.ts';
import {ownApi} from '../cli/in-process.ts';

/** The dashboard and the gateway itself. */
export const gatewayCommands: readonly Command[] = [
	{
		words: [],
		help: 'main',
		usage: 'sluice [--demo] [--new-journal]',
		summary: 'Open the dashboard, attached to the running gateway or with one in the same process',
		flags: ['demo', 'newJournal', 'log'],
		examples: ['sluice', 'sluice --demo', 'sluice --profile work --read-only'],
		run: async (context, session) => (await import('./start.ts')).start(context, session),
	},
	{
		words: ['attach'],
		help: 'main',
		usage: 'sluice attach',
		summary: 'Open the dashboard of the running gateway',
		details:
			'The same as `sluice` if a gateway runs; exits with 1 if none does. Leaving the dashboard leaves the gateway running.',
		flags: [],
		examples: ['sluice attach', 'ssh -t host sluice attach', 'sluice attach --read-only'],
		run: async (context, session) => (await import('./start.ts')).attach(context, session),
	},
	{
		words: ['status'],
		help: 'main',
		usage: 'sluice status [--json]',
		summary: 'Show the running gateway, what waits for you, and the state of its servers and routes',
		details: 'Exits with 3 when no gateway runs; the JSON is null then.',
		flags: ['json'],
		examples: ['sluice status', 'sluice status --json | jq .waiting.approvals', 'sluice --profile work status'],
		run: async context => (await import('./status.ts')).runStatus(context),
	},
	{
		words: ['stop'],
		help: 'main',
		usage: 'sluice stop [--json]',
		summary: 'Stop the running gateway and wait until it is down',
		details:
			'Works as the first stop signal does: open work is finished, and runs get 10 seconds. A gateway in a dashboard\nis stopped too, and the dashboard closes. Fails if no gateway runs, or if it still runs after 90 seconds plus\n`gateway.drain_delay`.',
		flags: ['json'],
		examples: ['sluice stop', 'sluice stop && sluice gateway run'],
		run: async (context, session) => (await import('./stop.ts')).runStop(context, session),
	},
	{
		words: ['hold'],
		help: 'main',
		usage: 'sluice hold [REASON] [--json]',
		summary: 'Hold everything: nothing is sent and no run begins until it is released',
		details:
			'Calls that were sent go on, new calls wait, and webhooks are kept. The hold survives a restart, and a second\nhold changes nothing. Without a gateway, the next start is held.',
		flags: ['json'],
		examples: ['sluice hold', 'sluice hold "the agent deletes things"', 'sluice status --json | jq .held'],
		run: async (context, session) => (await import('./hold.ts')).runHold(context, ownApi(session, 'left-out')),
	},
	{
		words: ['unhold'],
		help: 'main',
		usage: 'sluice unhold [--hash HASH] [--json]',
		summary: 'Show the hold, ask, and release it',
		details:
			'Shows the time, the author and the reason of the hold and the waiting calls, and asks. Each call is checked again.\nWithout a terminal it needs --hash. `approvals: {cli: deny}` keeps commands from releasing anything.',
		flags: ['hash', 'json'],
		flagTexts: {
			hash: {value: 'HASH', summary: 'The `held.hash` of `sluice status --json`; needed without a terminal'},
		},
		examples: ['sluice unhold', 'sluice unhold --hash "$(sluice status --json | jq -r .held.hash)"'],
		run: async (context, session) => (await import('./hold.ts')).runUnhold(context, ownApi(session, 'left-out')),
	},
	{
		words: ['reload'],
		help: 'main',
		usage: 'sluice reload [--json]',
		summary: 'Have the running gateway read its files again, and show what changed',
		details:
			'A saved config.yaml is applied by itself; .env, scripts and cron/jobs.json are read again with it.\nFails if config.yaml cannot be used; the previous configuration then stays in force.',
		flags: ['json'],
		examples: ['sluice reload', 'sluice reload --json | jq .added'],
		run: async context => (await import('./reload.ts')).runReload(context),
	},
	{
		words: ['logs'],
		help: 'main',
		usage: 'sluice logs [--server NAME] [--follow] [--lines N] [--since TIME] [--raw]',
		summary: 'Show the log of the gateway, or the stderr of a tool server',
		details:
			'Works with and without a running gateway. --follow goes on when the file is rotated, and Ctrl-C ends it with 0.\n--raw prints the lines as they are stored, JSON for the gateway; without it, control characters are made visible.\nA line of a server has the time of the last line of Sluice above it.',
		flags: ['server', 'follow', 'lines', 'since', 'raw'],
		flagTexts: {server: {value: 'NAME', summary: 'The stderr of this tool server', completes: 'server'}},
		examples: [
			'sluice logs --follow',
			'sluice logs --server files --lines 20',
			'sluice logs --since 2h --raw | jq \'select(.type == "tool.finished")\'',
		],
		run: async (context, session) => (await import('./logs.ts')).runLogs(context, session),
	},
	{
		words: ['gateway', 'run'],
		aliases: [['run']],
		help: 'main',
		usage: 'sluice gateway run [--log text|json] [--new-journal]',
		summary: 'Run the gateway without a dashboard, printing one line per event',
		details:
			'The first SIGINT, SIGTERM or SIGHUP finishes open work and exits with 0, or with 1 if the\njournal could not be written; a second one stops at once.\nTo answer approvals from another terminal, use `sluice approvals`.',
		flags: ['log', 'demo', 'newJournal'],
		examples: ['sluice gateway run', 'sluice gateway run --log json | jq \'select(.type == "webhook.settled")\''],
		run: async (context, session) => (await import('./start.ts')).startPlain(context, session),
	},
	{
		words: ['gateway', 'setup'],
		aliases: [['setup']],
		help: 'main',
		usage: 'sluice gateway setup [flags] [-- URL|COMMAND]',
		summary: 'Set up webhooks, a model, unattended calls, a first tool server and a first route',
		details:
			'Asks step by step, checks each answer, shows the change to config.yaml and writes it once you agree.\nEvery question has a flag; --yes asks nothing. Secrets go to .env and are never shown; config.yaml refers to them.\nA model server of this machine needs no key. Ends with three commands to type next.',
		flags: [
			'webhooks',
			'host',
			'port',
			'secret',
			'provider',
			'model',
			'baseUrl',
			'apiKeyEnv',
			'unattended',
			'server',
			'route',
			'events',
			'prompt',
			'probe',
			'yes',
			'json',
		],
		flagTexts: {
			route: {value: 'NAME', summary: 'Name of a first webhook route'},
			events: {value: 'LIST', summary: 'Event types that this route accepts, comma-separated'},
			prompt: {value: 'TEMPLATE', summary: 'Prompt of its runs, with {fields} of the payload'},
			probe: {summary: 'Test neither the key of the model nor the server'},
			yes: {summary: 'Ask nothing, and use only the flags'},
		},
		examples: [
			'sluice gateway setup',
			'sluice gateway setup --yes --port 8700',
			'sluice gateway setup --yes --provider anthropic --model claude-sonnet-5 --api-key-env ANTHROPIC_API_KEY',
			'sluice gateway setup --yes --no-webhooks --provider openai-compatible --model llama3 --base-url http://127.0.0.1:11434/v1',
			'sluice gateway setup --yes --no-webhooks --server files -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
		],
		run: async (context, session) => {
			const {runGatewaySetup} = await import('../setup/gateway-setup.ts');
			const {setUpWebhooks} = await import('../setup/setup-webhooks.ts');
			const {setUpModel} = await import('../setup/setup-model.ts');
			const {setUpServer} = await import('../setup/setup-server.ts');
			const {setUpUnattended} = await import('../setup/setup-unattended.ts');
			const {setUpRoute} = await import('../setup/setup-route.ts');
			const parts = [setUpWebhooks, setUpModel, setUpUnattended, setUpServer, setUpRoute];
			return runGatewaySetup(context, session, parts);
		},
	},
	{
		words: ['doctor'],
		help: 'main',
		usage: 'sluice doctor [--offline] [--json]',
		summary: 'Find problems and explain how to fix them',
		details:
			'Checks the configuration, `.env`, files and their permissions, the lock, the ports, the journal, the model,\nevery tool server, platform, scheduled job and route, in every profile that is served. Each finding says what\nto do. Exits with 1 if there is an error. A running gateway is asked about its servers; without one, each\nserver is connected to as a test. Nothing is changed, and no login is started; only the stderr of a server\ngoes to its log.',
		flags: ['offline', 'json'],
		examples: [
			'sluice doctor',
			'sluice doctor --json | jq \'.[] | select(.level != "ok")\'',
			'sluice doctor --offline',
		],
		run: async (context, session) => {
			const {runDoctor} = await import('../doctor/doctor.ts');
			const {runChecks} = await import('../doctor/run-checks.ts');
			const {nameCommands} = context;
			// A remedy is followed as written: its commands are for the profile that was checked.
			const checks: typeof runChecks = async (...checked) =>
				(await runChecks(...checked)).map(finding => ({
					...finding,
					message: nameCommands(finding.message),
					remedy: finding.remedy === null ? null : nameCommands(finding.remedy),
				}));
			return runDoctor(context, reach => checks(session, {reach, context}));
		},
	},
	{
		words: ['inbox'],
		help: 'main',
		usage: 'sluice inbox [--json]',
		summary: 'List everything that waits for you: approvals, questions, runs, uncertain calls, logins, deliveries',
		details: 'Each row ends with the command that shows or answers it. Without a gateway only stored rows are listed.',
		flags: ['json'],
		examples: ['sluice inbox', "sluice inbox --json | jq -r '.[].command'"],
		run: async (context, session) => (await import('./inbox.ts')).runInbox(context, ownApi(session)),
	},
	{
		words: ['version'],
		usage: 'sluice version [--json]',
		summary: 'Show the version',
		flags: ['json'],
		examples: ['sluice version'],
		run: async (context, {version}) => (await import('./version.ts')).runVersion(context, version),
	},
	{
		words: ['skills', 'list'],
		usage: 'sluice skills list [--json]',
		summary: 'List the skills that routes and jobs can use, and why others do not load',
		flags: ['json'],
		examples: ['sluice skills list', 'sluice --profile work skills list --json'],
		run: async (context, {paths}) => (await import('./skills-list.ts')).runSkillsList(context, paths.skills),
	},
];
