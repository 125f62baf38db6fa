import {runEvents} from '../../source/commands/events/events.ts';
import {readNamedId} from '../../source/util/id-part.ts';
import {openContext, ownEvents, ownRoutes} from '../commands/command-fixture.ts';
import {type BadInput} from './bad-input.ts';
import {called, endingText, helpOf, misused, typed} from './command-lines.ts';

const noGateway = ['No gateway is running for this state directory', 'Start one with `sluice`'] as const;
const schedules =
	'Allowed: five cron fields, @daily and the like, `every 30m` (an interval), `30m` (once, in 30 minutes), or a date such as 2026-12-01T09:00';
const targets =
	'"telegramm" is not a known delivery target; did you mean "telegram"? Allowed: log, github_comment, telegram, discord, slack, signal, sms, whatsapp, matrix, mattermost, homeassistant, email, dingtalk, feishu, wecom, weixin, bluebubbles, qqbot, teams, google_chat, ntfy, pagerduty, url';

/** Command lines. */
export const commandRows: readonly BadInput[] = [
	misused(['staus'], 'Unknown command "staus"; did you mean "sluice status"?'),
	misused(
		['mcp', 'lst'],
		'Unknown command "mcp lst"; did you mean "sluice mcp list"?',
		'Run `sluice mcp --help` to see its commands',
	),
	misused(['--profile'], '--profile needs a value', 'Run `sluice --help` to see the global flags'),
	misused(['evnts', 'list'], 'Unknown command "evnts"; did you mean "sluice events list"?'),
	misused(['frobnicate'], 'Unknown command "frobnicate"'),
	misused(['help', 'mpc'], 'Unknown command "mpc"; did you mean "sluice mcp"?'),
	misused(['status', 'now'], '"now" is one word too many. Usage: sluice status [--json]', helpOf('status')),
	misused(['mcp', 'test'], 'A word is missing. Usage: sluice mcp test NAME [--json]', helpOf('mcp test')),
	misused(['mcp', 'list', '--jsn'], 'Unknown flag: --jsn; did you mean --json?', helpOf('mcp list')),
	misused(
		['mcp', 'list', '-x'],
		'Unknown flag: -x; put a command that has flags of its own after --',
		helpOf('mcp list'),
	),
	misused(['mcp', 'list', '--limit', '3'], '`sluice mcp list` has no flag --limit', helpOf('mcp list')),
	misused(['events', 'list', '--limit'], '--limit needs a value', helpOf('events list')),
	misused(
		['events', 'list', '--limit', 'many'],
		'--limit must be a whole number from 1 to 10000',
		helpOf('events list'),
	),
	misused(['runs', 'list', '--limit', '0'], '--limit must be a whole number from 1 to 1000', helpOf('runs list')),
	misused(['logs', '--lines', 'all'], '--lines must be a whole number from 0 to 100000', helpOf('logs')),
	misused(
		['logs', '--since', 'yesterday'],
		'--since cannot be "yesterday". Allowed: an age such as 10m, 2h or 1d, or a time such as 2026-05-04T14:00',
		helpOf('logs'),
	),
	typed(['logs', '--server', 'fils'], 1, [
		'There is no tool server "fils", and no log of one; did you mean "files"?',
		'Run `sluice mcp list` to see the names',
	]),
	misused(
		['--json=maybe', 'status'],
		'--json cannot be "maybe". Allowed: true, false, yes, no, on, off, 1, 0',
		helpOf('status'),
	),
	misused(['status', '--json', '--no-json'], '--json and --no-json exclude each other', helpOf('status')),
	misused(
		['--profile', 'wrk', 'status'],
		'There is no profile "wrk"',
		'Correct the name, or create the profile with `sluice --profile wrk`',
	),
	misused(['--profile', '../x', 'status'], 'A profile name has 1 to 64 letters, digits, hyphens and underscores'),
	misused(['mcp', 'add'], 'A server needs a name, and a URL or a command', helpOf('mcp add')),
	misused(
		['mcp', 'add', 'web', 'ftp://a.example/mcp'],
		'The URL of a server begins with http:// or https://',
		helpOf('mcp add'),
	),
	misused(
		['mcp', 'add', 'web', '--trust', 'half', '--', 'npx', 'x'],
		'--trust must be untrusted or full',
		helpOf('mcp add'),
	),
	misused(
		['mcp', 'add', 'web', '--', 'npx -y x'],
		'Write the program and its arguments as separate words: sluice mcp add NAME -- npx -y x',
		helpOf('mcp add'),
	),
	typed(['mcp', 'add', 'files', '--no-probe', '--', 'npx', 'x'], 1, [
		'The name "files" is already in use; choose another one',
		'Choose another name, or remove the existing server with `sluice mcp remove files`',
	]),
	misused(
		['mcp', 'add', 'web', '--cwd', '/x', 'https://a.example/mcp'],
		'--cwd and --env-file are for a command, not for a URL',
		helpOf('mcp add'),
	),
	typed(['webhook', 'show', 'pull'], 1, [
		'There is no route named "pull"; did you mean "pulls"?',
		'Run `sluice webhook list` to see the names',
	]),
	typed(['cron', 'show', 'nope'], 1, [
		'There is no job named "nope"',
		'Run `sluice cron list` to see the names and ids',
	]),
	typed(['rules', 'show', 'beef'], 1, [
		'There is no rule with the id "beef"',
		'Run `sluice rules list` to see the ids',
	]),
	typed(['mcp', 'test', 'flies'], 1, [
		'There is no server named "flies"; did you mean "files"?',
		'Run `sluice mcp list` to see the names',
	]),
	misused(['mcp', 'remove', 'docs'], 'Without a terminal a removal needs --yes', helpOf('mcp remove')),
	misused(
		['mcp', 'login', 'files'],
		'The server "files" is a local program, which needs no login',
		'Run `sluice mcp test files` to see whether it answers',
	),
	misused(['mcp', 'login', 'docs', '--flow', 'phone'], '--flow must be device or browser', helpOf('mcp login')),
	called(['files/read_file', 'pth=/x'], 2, 'The tool has no argument "pth"; did you mean "path"?'),
	called(['files/read_file', 'encoding=x'], 2, 'The tool has no argument "encoding". Allowed: path, count'),
	called(['files/read_file', 'count=many'], 2, 'The argument "count" must be an integer, not "many"'),
	called(['files/read_file', 'path=/x', 'path=/y'], 2, 'The argument "path" is given twice'),
	called(['a/b/c'], 2, '"a/b/c" matches more than one tool: mcp__a_b__c, mcp__a__b_c', 'Type one of these names'),
	misused(
		['mcp', 'call', 'files/read', '--args', '[1]'],
		'--args must be a JSON object, such as \'{"path": "notes.txt"}\'',
		helpOf('mcp call'),
	),
	misused(
		['mcp', 'call', 'files/read', '--args', '{"a":1}', 'b=2'],
		'Give the arguments as ARGUMENT=VALUE or with --args, not both',
		helpOf('mcp call'),
	),
	typed(['mcp', 'call', 'files/read', '--args', '@nowhere.json'], 1, [
		'nowhere.json does not exist',
		'Name a file that exists and that your user can read',
	]),
	misused(
		['rules', 'test', 'a/b/c'],
		'"a/b/c" matches more than one tool: --server a --tool b/c, --server a/b --tool c',
		'Type one of these names',
	),
	typed(['config', 'get', 'approvls.rules'], 1, [
		'`approvls.rules` is not set in config.yaml',
		'Run `sluice config get` for the keys that are set',
	]),
	misused(
		['config', 'get', 'a..b'],
		'"a..b" is not a key path',
		'Join keys with dots and put a key that has dots into quotes: \'mcp_servers."a.b".args[0]\'',
	),
	misused(
		['config', 'set', 'platforms.webhook.secret', 'hunter2hunter2'],
		'`platforms.webhook.secret` is a secret, and config.yaml holds only references to secrets',
		'Pipe it into `sluice config set platforms.webhook.secret -`, which stores it in .env, or set the key to the name of a variable there, as ${NAME}',
	),
	typed(['config', 'set', 'gatway.endpoint.port', '1'], 1, [
		'config.yaml:1:390: gatway: "gatway" is not a known key; did you mean "gateway"?',
		'Nothing was written; correct the key or the value, and repeat the command',
	]),
	typed(['config', 'set', 'gateway.endpoint.port', 'eighty'], 1, [
		'config.yaml:4:15: gateway.endpoint.port: "eighty" is not allowed here. Allowed: a whole number from 0 to 65535',
		'Nothing was written; correct the key or the value, and repeat the command',
	]),
	misused(
		['config', 'set', 'model', '{a'],
		'The value is not YAML in one line',
		'Put a text into quotes of its own, as in \'"a: b"\'',
	),
	misused(['rules', 'add', 'files/write_file'], 'A rule needs one of --deny, --ask or --allow', helpOf('rules add')),
	misused(
		['rules', 'add', '--deny', 'write_file'],
		'"write_file" is not a tool. Write SERVER/TOOL, such as files/write_file, or \'*/delete_*\' for every server',
		helpOf('rules add'),
	),
	misused(
		['rules', 'add', '--deny', 'files/write_file', 'path'],
		'"path" is not a condition. Write NAME=VALUE; instead of =, you can use ^= (path and below), *= (glob), @= (host), <= or >=',
		helpOf('rules add'),
	),
	misused(
		['rules', 'add', '--deny', 'files/write_file', 'path^=/a', 'path^=/b'],
		'The argument "path" has an operator twice; only = and @= can be repeated',
		helpOf('rules add'),
	),
	misused(
		['rules', 'add', '--deny', 'files/write_file', 'size>=big'],
		'rule: arguments.size.min: Text is not allowed here. Allowed: a number',
		'Run `sluice rules add --help` to see examples',
	),
	misused(
		['rules', 'add', '--deny', '--origin', 'robot', 'files/x'],
		'rule: origin.kind: "robot" is not a known kind of caller. Allowed: route, job, endpoint, command, person',
		'Run `sluice rules add --help` to see examples',
	),
	misused(
		['rules', 'rehearse', '--rule', '{action: deny'],
		'--rule:1:14: A } is missing above, or a line inside the brackets is not indented',
		'Correct the rule, and repeat the command',
	),
	misused(['cron', 'create', 'daily'], 'A job needs --schedule and --prompt', helpOf('cron create')),
	typed(['cron', 'create', 'daily', '--schedule', 'evry 5m', '--prompt', 'x'], 1, [
		`"evry 5m" is not a valid schedule. ${schedules}`,
		'Run `sluice cron create --help` to see examples',
	]),
	typed(['cron', 'create', 'daily', '--schedule', '99 9 * * *', '--prompt', 'x'], 1, [
		`"99 9 * * *" is not a valid schedule. ${schedules} (the minute 99 does not exist)`,
		'Run `sluice cron create --help` to see examples',
	]),
	typed(['cron', 'create', 'daily', '--schedule', 'every 30m', '--prompt', 'x', '--time-zone', 'Europe/Berln'], 1, [
		'"Europe/Berln" is not a known time zone. Allowed: an IANA name such as Europe/Berlin',
		'Run `sluice cron create --help` to see examples',
	]),
	typed(['cron', 'edit', 'nope', '--prompt', 'x'], 1, [
		'No job has the id or name "nope"',
		'Run `sluice cron list` to see the names and ids',
	]),
	misused(
		['webhook', 'subscribe', '../x'],
		'The name of a subscription may only have letters a-z, digits, - and _, and must begin with a letter or digit',
		helpOf('webhook subscribe'),
	),
	typed(['webhook', 'subscribe', 'new', '--deliver', 'telegramm'], 1, [
		`webhook_subscriptions.json: new.deliver: ${targets}`,
		'Set `deliver` to one of the listed targets',
	]),
	typed(['webhook', 'subscribe', 'new', '--secret-env', 'UNSET_SECRET'], 1, [
		'route new: The variable UNSET_SECRET of its secret is not set',
		'Add the line `UNSET_SECRET=…` to .env, then run `sluice reload`',
	]),
	typed(['webhook', 'subscribe', 'new', '--cron-job', 'nope'], 1, [
		'No job has the id or name "nope"',
		'Run `sluice cron list` to see the names and ids',
	]),
	typed(['webhook', 'remove', 'pulls'], 1, [
		'pulls is a route in config.yaml; remove it there',
		'Run `sluice webhook list` to see the names',
	]),
	typed(['webhook', 'test', 'nope', '--dry-run'], 1, [
		'There is no route named "nope"',
		'Run `sluice webhook list` to see the names',
	]),
	misused(['webhook', 'test', 'pulls', '--payload', '{'], '--payload must be JSON', helpOf('webhook test')),
	typed(['webhook', 'test', 'pulls'], 1, noGateway),
	typed(['events', 'replay', 'beef'], 1, ['A replay needs a running gateway', 'Start one with `sluice`']),
	misused(
		['events', 'replay'],
		'Usage: sluice events replay ID [--deliver] [--yes] [--json], or replay --route NAME --status failed --since TIME [--until TIME] [--yes] [--json]',
		helpOf('events replay'),
	),
	typed(['events', 'show', 'beef'], 1, ['No event has the id beef.']),
	{
		input: 'sluice events show 01890000, of which there are two',
		says: [
			endingText({
				code: 2,
				stderr:
					'sluice: "01890000" matches more than one id: 01890000-aaaa, 01890000-bbbb\n        Type more of the id, or all of it\n',
			}),
		],
		async give() {
			const {context, stderr} = openContext({arguments: ['show', '01890000']});
			const show = ({id}: {readonly id: string}) => {
				throw readNamedId(['01890000-aaaa', '01890000-bbbb'], id);
			};

			const code = await runEvents(context, ownEvents({'events.show': show}), ownRoutes([]));
			return endingText({code, stderr: stderr()});
		},
	},
	typed(['events', 'list', '--route', 'puls'], 1, [
		'There is no route named "puls", and no events of such a route; did you mean "pulls"?',
		'Run `sluice webhook list` to see the names',
	]),
	typed(['runs', 'show', 'beef'], 1, [
		'There is no run with the id beef',
		'Run `sluice runs list` to see the runs and their states; the run may have ended already',
	]),
	misused(
		['uncertain', 'resolve', 'beef', '--happened', '--hash', 'x'],
		'--hash needs --repeat',
		helpOf('uncertain resolve'),
	),
	misused(
		['approvals', 'allow', 'beef', '--scope', 'forever'],
		'--scope must be once, run, session or always',
		helpOf('approvals allow'),
	),
	typed(['approve', 'beef'], 1, noGateway),
	misused(
		['questions', 'answer', 'beef', '--values', '['],
		'--values must be a JSON object',
		helpOf('questions answer'),
	),
	misused(['run', '--log', 'xml'], '--log must be text or json', helpOf('run')),
	misused(['setup', '--port', '99999', '--yes'], 'A port is a whole number from 0 to 65535', helpOf('setup')),
	typed(['reload'], 1, noGateway),
	typed(['status'], 3, noGateway),
];
