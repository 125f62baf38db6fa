import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {decisionCall} from '../../source/state/gateway-call.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** A whole gateway that clients of others meet: published servers behind it, and the address and token of its endpoint. */
export type PeerStage = {
	readonly url: string;
	readonly token: string;
	/** A folder for what a client or a tool writes. */
	readonly folder: string;
	/** Allows the next call that waits for a person; resolves once that is decided. */
	readonly allowNext: () => Promise<void>;
};

const everything = join(
	dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
	'dist/index.js',
);
const token = 'the-token-of-the-peers';

/** Starts the gateway, and waits for its servers. `client`: further keys of the client's entry. */
export async function openPeerStage(client: object = {}): Promise<PeerStage> {
	const root = temporaryDirectory();
	writeFileSync(join(root, '.env'), `PEERS=${token}\n`);
	const config = {
		mcp_servers: {
			everything: {command: process.execPath, args: [everything], trust: 'untrusted'},
			plain: {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'},
		},
		gateway: {endpoint: {port: 0, clients: {peers: {token: '${PEERS}', ...client}}}},
		approvals: {unattended: 'hold'},
	};
	const running = await runGateway(JSON.stringify(config), root);
	const isConnected = (name: string) =>
		running.eventWhere(event => event.type === 'server.state' && event.server === name && event.state === 'connected');
	const [listening] = await Promise.all([
		running.eventWhere(event => event.type === 'endpoint.state' && event.url !== undefined),
		...Object.keys(config.mcp_servers).map(isConnected),
	]);
	const decided = new Set<string>();
	return {
		url: listening.type === 'endpoint.state' ? (listening.url ?? '') : '',
		token,
		folder: root,
		async allowNext() {
			const asked = await running.eventWhere(event => event.type === 'approval.requested' && !decided.has(event.id));
			if (asked.type !== 'approval.requested') {
				return;
			}

			const {id} = asked;
			decided.add(id);
			const card = running.snapshot().approvals.find(one => one.id === id);
			if (card) {
				running.gateway.send(decisionCall(card, {kind: 'approve', scope: 'once'}));
			}

			await running.eventWhere(event => event.type === 'approval.settled' && event.id === id);
		},
	};
}

/** The text of a file of the stage; empty when there is none. */
export function written(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}
