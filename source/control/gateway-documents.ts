import {z} from 'zod';
import {type InboxJson} from '../state/json/inbox.ts';
import {type SetUpJson} from '../state/json/gateway.ts';
import {type InstalledServiceJson, type RemovedServiceJson} from '../state/json/service.ts';
import {heldJson, statusJson} from './status-wire.ts';
import {reloadJson} from './wire.ts';

/** The document of a command under `--json`. Without a schema it is the result of the method with the name of the command. */
export type DescribedDocument = {
	readonly schema?: z.ZodType;
	/** Facts that the schema does not show. */
	readonly note?: string;
};

const name = z.string();
const text = z.string();
const texts = z.array(text);
const time = z.number();

const inbox: z.ZodType<readonly InboxJson[]> = z.array(
	z.object({
		kind: z.enum(['approval', 'question', 'run', 'uncertain', 'login', 'delivery']),
		id: text,
		time: time.nullable(),
		subject: text,
		reason: text.nullable(),
		command: text.nullable(),
	}),
);
const setUp: z.ZodType<SetUpJson> = z.object({variables: texts});
const installedService: z.ZodType<InstalledServiceJson> = z.object({name, path: text, version: text, pid: z.int()});
const removedService: z.ZodType<RemovedServiceJson> = z.object({name, path: text, removed: z.boolean()});

const changedKey = z.object({key: text, changed: z.boolean(), variables: texts});

const uninstalled = z.object({
	service: z.object({name, path: text}).nullable(),
	state_directory: text,
	purged: z.boolean(),
	work: z.object({queued: z.int(), waiting: z.int(), uncertain: z.int()}).nullable(),
	package: text.nullable(),
});

const service = z.object({
	manager: z.enum(['systemd', 'launchd']),
	name,
	path: text,
	installed: z.boolean(),
	enabled: z.boolean(),
	active: z.boolean(),
	state: text,
	reason: text.nullable(),
	pid: z.int().nullable(),
	since: time.nullable(),
	linger: z.boolean().nullable(),
	differs: z.boolean().nullable(),
});

const {shape: status} = statusJson;
const printedStatus = z.object({
	pid: status.pid,
	version: status.version,
	uptime_s: z.int().nullable(),
	waiting: status.waiting.unwrap().nullable(),
	servers: status.servers.unwrap().nullable(),
	routes: status.routes.unwrap().nullable(),
	held: heldJson.nullable(),
	journal_fault: text.optional(),
	journal: status.journal.unwrap().nullable(),
	node: text.nullable(),
	nodes: status.nodes,
	draining: z.object({until: time}).optional(),
	remote: status.remote,
});

const finding = z.object({
	check: text,
	level: z.enum(['ok', 'warning', 'error']),
	message: text,
	remedy: text.nullable(),
});
const moved = z.object({
	moved: z.boolean(),
	host: text,
	schema: text,
	tables: z.array(z.object({table: text, rows: z.int(), sha256: text.nullable()})),
});

/** The documents of the gateway, its setup and its state directory. */
export const gatewayDocuments: Readonly<Record<string, DescribedDocument>> = {
	status: {
		schema: printedStatus.nullable(),
		note: 'Null, with exit code 3, when no gateway runs. `need` counts servers that want a login, failed, or wait for their next attempt. `node` is `journal.node`, else the host; `nodes` is there where the journal is [shared](postgresql.md#several-machines), `draining` once a stop with `gateway.drain_delay` has begun, `remote` where [chats](remote.md) are configured, and `journal_fault` while the journal cannot be used. A journal is `refusing` when it did not take the last write; `waiting` counts the writes that wait for it, `unreadable` the rows that lists leave out because they cannot be read. A value that a gateway of an older version does not know is null.',
	},
	stop: {schema: z.object({pid: z.int(), stopped: z.boolean()})},
	reload: {
		schema: reloadJson.required({unusable: true}),
		note: '`unusable` has an entry for each `config.yaml` that cannot be used, or whose rules cannot: then it has `in_force` too, and everything else was applied. The exit code is 1 then.',
	},
	'gateway setup': {schema: setUp, note: '`variables` are the names that were written to `.env`.'},
	doctor: {schema: z.array(finding), note: 'The exit code is 1 if a level is `error`.'},
	inbox: {schema: inbox, note: 'The oldest first. `command` shows or answers the row.'},
	version: {schema: z.object({version: text})},
	'config get': {schema: z.json(), note: 'The value, with secrets masked.'},
	'config set': {schema: changedKey, note: '`variables` are the names that were written to `.env`.'},
	'config unset': {schema: changedKey},
	'config path': {schema: z.object({path: text})},
	'skills list': {schema: z.array(z.object({name, description: text}))},
	'journal move': {schema: moved, note: 'With `--dry-run` `moved` is false and `sha256` null.'},
	'service install': {schema: installedService, note: 'The gateway that runs as the service now.'},
	'service remove': {schema: removedService, note: '`removed` is false where none was installed.'},
	'service status': {schema: service, note: '`reason` says why it failed. The exit code is 3 unless it is active.'},
	uninstall: {
		schema: uninstalled,
		note: '`work` counts what was deleted with the journal. `package` is the command that removes the package, null where npm did not install it.',
	},
};
