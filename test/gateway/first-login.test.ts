import {describe, expect, test} from 'vitest';
import {type Environment, readEnvironment} from '../../source/config/environment.ts';
import {defaultProfile, statePaths} from '../../source/config/state-paths.ts';
import {layFoundation} from '../../source/gateway/foundation.ts';
import {openFirstLogin} from '../../source/gateway/first-login.ts';
import {createHall} from '../../source/state/hall.ts';
import {systemClock} from '../../source/util/clock.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {stateDirectory} from '../helpers/sluice.ts';

const withDisplay = {DISPLAY: ':0'};

async function open(options: {
	readonly variables?: Record<string, string>;
	readonly flow?: string;
	readonly hasTokens?: boolean;
}) {
	const root = stateDirectory({
		mcp_servers: {tracker: {url: 'http://127.0.0.1:9/mcp', auth: 'oauth', oauth: {flow: options.flow ?? 'browser'}}},
	});
	const environment: Environment = {...readEnvironment(), variables: options.variables ?? withDisplay};
	const hall = createHall({clock: systemClock, clean: event => event});
	const foundation = await layFoundation({
		paths: statePaths({root, profile: defaultProfile}),
		environment,
		clock: systemClock,
		hall,
		redactor: createRedactor(),
		version: 'test',
	});
	const started: string[] = [];
	let consoles = 0;
	const first = openFirstLogin(
		foundation,
		{
			async start(server) {
				started.push(server);
				return {kind: 'cancelled', reason: 'called off'};
			},
			hasTokens: async () => options.hasTokens ?? false,
		},
		{
			hasConsole: () => consoles > 0,
			attachConsole() {
				consoles++;
				return () => consoles--;
			},
		},
	);
	const tell = (state: 'needs-login' | 'connected') =>
		foundation.publish({
			type: 'server.state',
			server: 'tracker',
			state,
			tools: 0,
			transport: 'http',
			trust: 'full',
			address: '',
		});
	const settle = () => new Promise(resolve => setImmediate(resolve));
	return {first, started, tell, settle};
}

describe('the first login of a server', () => {
	test('is started when a person is there', async () => {
		const {first, started, tell, settle} = await open({});
		first.attachConsole();
		tell('needs-login');
		await settle();
		expect(started).toEqual(['tracker']);
	});

	test('is started when a person comes', async () => {
		const {first, started, tell, settle} = await open({});
		tell('needs-login');
		await settle();
		expect(started).toEqual([]);
		first.attachConsole();
		await settle();
		expect(started).toEqual(['tracker']);
	});

	test('is started once', async () => {
		const {first, started, tell, settle} = await open({});
		first.attachConsole();
		for (const state of ['needs-login', 'connected', 'needs-login'] as const) {
			tell(state);
			await settle();
		}

		expect(started).toEqual(['tracker']);
	});

	test.each([
		['nobody is there any more', {}, 'leave'],
		['it is a device login', {flow: 'device'}, 'stay'],
		['there is no display', {variables: {}}, 'stay'],
		['the person came over SSH', {variables: {...withDisplay, SSH_TTY: '/dev/pts/0'}}, 'stay'],
		['there were tokens before', {hasTokens: true}, 'stay'],
	])('is not started when %s', async (_, options, person) => {
		const {first, started, tell, settle} = await open(options);
		const leave = first.attachConsole();
		if (person === 'leave') {
			leave();
		}

		tell('needs-login');
		await settle();
		expect(started).toEqual([]);
	});
});
