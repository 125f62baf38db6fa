import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {aroundEach, describe, expect, test} from 'vitest';
import {inOwnContext, openForAll} from '../helpers/on-test-finished.ts';
import {type BegunCommand, beginSluice, runSluice} from '../helpers/run-sluice.ts';
import {readState, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {type AuthorizationServerFixture, startAuthorizationServer} from '../simulators/authorization-server.ts';
import {browse, confirmDevice} from '../simulators/robot.ts';
import {startStepUpServer, type StepUpServer} from '../simulators/step-up-server.ts';

aroundEach(inOwnContext);

type Flow = 'browser' | 'device';

/** A server of a state directory, and the authorization server it trusts. */
type Peer = {
	readonly home: string;
	readonly name: string;
	readonly server: StepUpServer;
	readonly authorization: AuthorizationServerFixture;
};

/** A state directory with these servers. A `vague` one does not say which scope a call lacks. */
async function openPeers<Name extends string>(kinds: Readonly<Record<Name, 'exact' | 'vague'>>) {
	const authorization = await startAuthorizationServer({}, {pollSeconds: 1});
	const servers: Array<{readonly name: string; readonly server: StepUpServer}> = [];
	for (const [name, kind] of Object.entries(kinds)) {
		servers.push({
			name,
			server: await startStepUpServer(authorization, {names: kind === 'exact' ? 'scope' : 'nothing'}),
		});
	}

	const entries = servers.map(({name, server}) => [name, {url: server.url, auth: 'oauth', trust: 'full'}]);
	const home = stateDirectory({mcp_servers: Object.fromEntries(entries)});
	const peers = servers.map(({name, server}) => [name, {home, name, server, authorization}]);
	return Object.fromEntries(peers) as Record<Name, Peer>;
}

const call = ({home, name}: Peer) => runSluice({home}, 'mcp', 'call', `mcp__${name}__echo`, '--json');

/** The scopes that a login asked for, as the person's browser or device saw them. */
const askedScope = (url: string) => (new URL(url).searchParams.get('scope') ?? '').split(' ').sort();

/** The person opens what the command printed, and agrees. */
const people: Readonly<Record<Flow, (login: BegunCommand, peer: Peer) => Promise<readonly string[]>>> = {
	async browser(login, {authorization}) {
		const url = await login.waitForLine(`${authorization.issuer}/auth?`);
		await browse(url);
		return askedScope(url);
	},
	async device(login, {authorization, server}) {
		const code = await login.waitForLine(/^[A-Z]{4}-[A-Z]{4}$/u);
		await confirmDevice(`${authorization.issuer}/device?user_code=${code}`);
		const asked = authorization.requests.findLast(
			({path, form}) => path === '/device/auth' && form.get('resource') === server.url,
		);
		return (asked?.form.get('scope') ?? '').split(' ').sort();
	},
};

async function logIn(peer: Peer, flow: Flow, command: 'login' | 'reauth' = 'login') {
	const login = beginSluice(peer, 'mcp', command, peer.name, '--flow', flow);
	const scope = await people[flow](login, peer);
	const {code, stderr} = await login.end;
	return {code, stderr, scope};
}

// Each flow asks for more once with a gateway and once without.
describe.concurrent.each<{readonly gateway: 'running' | 'absent'; readonly first: Flow; readonly second: Flow}>([
	{gateway: 'running', first: 'browser', second: 'device'},
	{gateway: 'absent', first: 'device', second: 'browser'},
])('with the gateway $gateway', {timeout: 60_000}, ({gateway, first, second}) => {
	const peers = openForAll(async () => {
		const opened = await openPeers({tracker: 'exact', wiki: 'vague', forge: 'exact'});
		if (gateway === 'running') {
			const running = startSluice(opened.tracker, 'gateway', 'run');
			await Promise.all(Object.keys(opened).map(name => running.waitForLine(`${name} needs-login`)));
		}

		return opened;
	});

	test.concurrent(`a call passes after one login that asks for more (${first})`, async () => {
		const {tracker} = peers();
		expect(await logIn(tracker, first)).toMatchObject({code: 0, scope: ['offline_access', 'read']});
		const refused = await call(tracker);
		expect([refused.code, JSON.parse(refused.stdout)]).toEqual([
			1,
			{error: expect.objectContaining({code: 'wider_login_required', message: expect.stringContaining('write')})},
		]);

		const login = await logIn(tracker, first);
		expect(login).toMatchObject({code: 0, scope: ['offline_access', 'read', 'write']});
		expect(login.stderr).toBe(
			gateway === 'running' ? 'The running gateway reconnects with the new credentials.\n' : '',
		);
		const passed = await call(tracker);
		expect([passed.code, JSON.parse(passed.stdout)]).toEqual([0, {result: 'done'}]);
		expect(tracker.server.calls()).toEqual({refused: 1, answered: 1});
		// The requested scopes have been given: nothing of the request stays.
		expect(readState(tracker.home, 'mcp-tokens/tracker.json')).not.toContain('demanded');
	});

	test.concurrent(`reauth asks for more too, and a server that does not say what is missing is asked for all it has (${second})`, async () => {
		const {wiki} = peers();
		await logIn(wiki, second);
		expect((await call(wiki)).code).toBe(1);
		expect(await logIn(wiki, second, 'reauth')).toMatchObject({
			code: 0,
			scope: ['offline_access', 'read', 'write'],
		});
		expect((await call(wiki)).code).toBe(0);
	});

	test.concurrent('a login after a logout asks for no more than the server does', async () => {
		const {forge} = peers();
		await logIn(forge, 'device');
		expect((await call(forge)).code).toBe(1);
		expect(readState(forge.home, 'mcp-tokens/forge.json')).toContain('"demandedScope": "write"');
		expect((await runSluice(forge, 'mcp', 'logout', 'forge')).code).toBe(0);
		expect(existsSync(join(forge.home, 'mcp-tokens/forge.json'))).toBe(false);
		expect(await logIn(forge, 'device')).toMatchObject({code: 0, scope: ['offline_access', 'read']});
	});
});

describe('a login through the gateway', () => {
	const stage = openForAll(async () => {
		const peers = await openPeers({
			followed: 'exact',
			interrupted: 'exact',
			killed: 'exact',
			shared: 'exact',
			denied: 'exact',
		});
		const gateway = startSluice(peers.followed, 'gateway', 'run', '--log', 'json');
		/** Waits for the event that a server has come to a state. */
		const reports = (type: 'login.state' | 'server.state', {name}: Pick<Peer, 'name'>, state: string) =>
			gateway.waitForLine(new RegExp(`^(?=.*"type":"${type}")(?=.*"server":"${name}").*"state":"${state}"`, 'u'));
		await Promise.all(Object.values(peers).map(peer => reports('server.state', peer, 'needs-login')));
		return {...peers, reports};
	});

	const login = ({home, name}: Peer, ...words: readonly string[]) =>
		startSluice({home}, 'mcp', 'login', name, ...words);

	test.concurrent('is the gateway’s: it reports the states', async () => {
		const {followed, reports} = stage();
		await people.device(login(followed, '--flow', 'device'), followed);
		await reports('login.state', followed, 'awaiting-device');
		await reports('login.state', followed, 'succeeded');
		await reports('server.state', followed, 'connected');
	});

	test.concurrent.each(['SIGINT', 'SIGKILL'] as const)('is called off by %s', async signal => {
		const {interrupted, killed, reports} = stage();
		const peer = signal === 'SIGINT' ? interrupted : killed;
		const one = login(peer);
		await one.waitForLine(`${peer.authorization.issuer}/auth?`);
		one.signal(signal);
		const {code, stderr} = await one.end;
		expect([code, stderr]).toEqual(
			signal === 'SIGINT' ? [1, 'The login was cancelled; existing credentials are kept.\n'] : [137, ''],
		);
		await reports('login.state', peer, 'cancelled');
		// Its port is free, and the next login goes through.
		expect(await logIn(peer, 'browser')).toMatchObject({code: 0});
	});

	test.concurrent('is shown to a second terminal that asks for it, and goes on when the first one leaves', async () => {
		const {shared} = stage();
		const first = login(shared);
		const url = await first.waitForLine(`${shared.authorization.issuer}/auth?`);
		const second = login(shared);
		expect(await second.waitForLine(`${shared.authorization.issuer}/auth?`)).toBe(url);
		first.signal('SIGINT');
		expect((await first.end).code).toBe(1);
		await browse(url);
		expect(await second.end).toMatchObject({code: 0, stdout: expect.stringContaining('Logged in to shared.')});
	});

	test.concurrent('that is denied ends with 1 and the reason', async () => {
		const {denied} = stage();
		const one = login(denied, '--flow', 'device');
		const code = await one.waitForLine(/^[A-Z]{4}-[A-Z]{4}$/u);
		await confirmDevice(`${denied.authorization.issuer}/device?user_code=${code}`, 'abort');
		expect(await one.end).toMatchObject({code: 1, stderr: expect.stringContaining('denied')});
	});

	test.concurrent('of a server that is not there is refused', async () => {
		expect(await runSluice(stage().shared, 'mcp', 'login', 'trakcer')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('There is no server named "trakcer"'),
		});
	});
});
