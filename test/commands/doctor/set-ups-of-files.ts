import {chmodSync} from 'node:fs';
import {join} from 'node:path';
import {garden} from '../../stories/garden.ts';
import {environment, healthy, put, route, withRoute, type SetUp} from './set-up.ts';

/** Set-ups with a file of the state directory that is damaged, or that others may read. */
export const fileSetUps: readonly SetUp[] = [
	{
		broken: 'a journal of garbage',
		prepare: home => put(home, 'journal.db', 'garbage'.repeat(1000)),
		found: [
			{
				check: 'journal',
				level: 'error',
				message: 'The journal is damaged, or is not a journal: HOME/journal.db',
				remedy:
					'Restore HOME/journal.db, or move it away with its -wal file: `{ [ ! -e HOME/journal.db ] || mv HOME/journal.db HOME/journal.db.broken; }',
			},
		],
	},
	{
		broken: 'a journal that is no file',
		prepare: home => put(home, 'journal.db/in-the-way', ''),
		found: [
			{
				check: 'journal',
				level: 'error',
				message: 'The journal cannot be read: HOME/journal.db',
				remedy: 'Check the owner, permissions and disk space of HOME/journal.db: `ls -l HOME/journal.db`, `df -h HOME`',
			},
		],
	},
	{
		broken: 'lines of .env that are none',
		env: `${environment}GITHUB_SECRET abc\nOTHER="open\n`,
		found: [
			{
				check: 'config',
				level: 'warning',
				message: '.env:4:1: The line is ignored. Allowed: NAME=value',
				remedy: 'Correct line 4, column 1 of HOME/.env',
			},
			{
				check: 'config',
				level: 'warning',
				message: '.env:5:1: The quote is never closed',
				remedy: 'Correct line 5, column 1 of HOME/.env',
			},
		],
	},
	{
		broken: 'a file of jobs that is no JSON, beside a route with a refused pattern',
		config: withRoute({filters: [{field: 'a', regex: '(?=x)'}]}),
		prepare: home => put(home, 'cron/jobs.json', '{"jobs": ['),
		found: [
			{
				check: 'cron',
				level: 'error',
				message: 'HOME/cron/jobs.json is not a JSON object',
				remedy: '`mv HOME/cron/jobs.json HOME/cron/jobs.json.broken`',
			},
			{
				check: 'route pulls',
				level: 'error',
				message: 'The pattern "(?=x)" is not allowed',
				remedy: 'routes.pulls.filters',
			},
		],
	},
	{
		broken: 'a scheduled job with a skill that is not there',
		prepare: home =>
			put(
				home,
				'cron/jobs.json',
				JSON.stringify({
					jobs: [
						{
							id: '0123456789ab',
							name: 'digest',
							prompt: 'Sum up',
							schedule: {kind: 'interval', seconds: 60},
							deliver: 'log',
							deliver_extra: {},
							skills: ['summing'],
							enabled: true,
							paused: false,
						},
					],
				}),
			),
		found: [
			{
				check: 'job digest',
				level: 'warning',
				message: '"summing" is not loaded',
				remedy: 'Write the skill into HOME/skills/summing/SKILL.md',
			},
		],
	},
	{
		broken: 'a route that fires a job which is none',
		config: withRoute({cron_job: 'digest'}),
		found: route({
			level: 'error',
			message: 'No job has the id or name "digest"',
			remedy: 'Correct `platforms.webhook.routes.pulls.cron_job` (HOME/config.yaml, line ',
		}),
	},
	{
		broken: 'remembered approvals that are no JSON',
		prepare: home => put(home, 'approval-rules.json', 'not json'),
		found: [
			{
				check: 'approvals',
				level: 'error',
				message: 'HOME/approval-rules.json is not a JSON object',
				remedy: 'every call of a tool is refused until then',
			},
		],
	},
	{
		broken: 'a token file that is no JSON',
		config: {...healthy, mcp_servers: {garden, tracker: {url: 'http://127.0.0.1:9/mcp', auth: 'oauth'}}},
		prepare: home => put(home, 'mcp-tokens/tracker.json', '{'),
		found: [
			{
				check: 'server tracker',
				level: 'error',
				message: 'The tokens in HOME/mcp-tokens/tracker.json cannot be read',
				remedy: 'Log in again: `sluice mcp login tracker`',
			},
			{
				check: 'server tracker',
				level: 'warning',
				message: 'no tokens are stored for it',
				remedy: 'Log in: `sluice mcp login tracker`',
			},
		],
	},
	{
		broken: 'subscriptions that are no JSON',
		prepare: home => put(home, 'webhook_subscriptions.json', '[]'),
		found: [
			{
				check: 'subscriptions',
				level: 'error',
				message: 'HOME/webhook_subscriptions.json is not a JSON object',
				remedy: '`mv HOME/webhook_subscriptions.json HOME/webhook_subscriptions.json.broken`',
			},
		],
	},
	{
		broken: 'a subscription to an unknown target',
		prepare: home => put(home, 'webhook_subscriptions.json', '{"mine": {"deliver": "nowhere", "secret": "x"}}'),
		found: [
			{
				check: 'route mine',
				level: 'error',
				message: '"nowhere" is not a known delivery target',
				remedy: 'Correct `mine` in HOME/webhook_subscriptions.json, or remove it: `sluice webhook remove mine`',
			},
		],
	},
	{
		broken: 'a subscription that a route of the file hides',
		prepare: home => put(home, 'webhook_subscriptions.json', '{"pulls": {"secret": "x"}}'),
		found: route({
			level: 'warning',
			message: 'config.yaml has a route with this name, and that one is used',
			remedy: '`sluice webhook remove pulls`',
		}),
	},
	{
		broken: 'a config.yaml that is no YAML',
		config: 'a: [\n',
		found: [
			{check: 'config', level: 'error', message: 'config.yaml:2:1:', remedy: 'Correct line 2, column 1 of HOME/'},
		],
	},
	{
		broken: 'a file that others may read',
		prepare: home => chmodSync(join(home, 'config.yaml'), 0o644),
		found: [
			{
				check: 'files',
				level: 'warning',
				message: 'Other users can open HOME/config.yaml',
				remedy: 'chmod 600 HOME/config.yaml',
			},
		],
	},
	{
		broken: 'the lock of a gateway that was killed',
		prepare: home => put(home, 'gateway.lock', JSON.stringify({pid: 4_190_000, startedAt: 'long ago'})),
		found: [
			{
				check: 'gateway',
				level: 'warning',
				message: 'left its lock HOME/gateway.lock',
				remedy: 'remove it: rm HOME/gateway.lock',
			},
		],
	},
	{
		broken: 'a hold for the next start',
		prepare: home => put(home, 'hold.json', JSON.stringify({held: {since: 0, by: 'cli', reason: 'it deletes files'}})),
		found: [
			{
				check: 'hold',
				level: 'warning',
				message: 'by cli: it deletes files',
				remedy: 'Run `sluice unhold` to continue',
			},
		],
	},
	{
		broken: 'a file of the hold that cannot be read',
		prepare: home => put(home, 'hold.json', '{"held": '),
		found: [
			{
				check: 'hold',
				level: 'warning',
				message: 'by gateway: HOME/hold.json is not a JSON object',
				remedy: 'Repair HOME/hold.json, or move it away with `mv HOME/hold.json HOME/hold.json.broken`',
			},
		],
	},
	{
		broken: 'a lock whose holder does not answer',
		prepare: home => put(home, 'gateway.lock', JSON.stringify({pid: process.pid, startedAt: null})),
		found: [{check: 'gateway', level: 'error', message: 'does not answer', remedy: `kill ${process.pid}`}],
	},
];
