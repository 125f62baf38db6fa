import {describe, expect, test} from 'vitest';
import {type Environment, readEnvironment} from '../../../source/config/read/environment.ts';
import {defaultProfile, statePaths} from '../../../source/config/read/state-paths.ts';
import {loadProfile} from '../../../source/gateway/profiles/profile-context.ts';
import {openFirstLogin} from '../../../source/gateway/services/first-login.ts';
import {createEventBus} from '../../../source/state/event-bus.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {createRedactor} from '../../../source/util/redact.ts';
import {stateDirectory} from '../../helpers/sluice.ts';

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
	const eventBus = createEventBus({clock: systemClock, redact: event => event});
	const context = await loadProfile({
		paths: statePaths({root, profile: defaultProfile}),
		environment,
		clock: systemClock,
		eventBus,
		redactor: createRedactor(),
		version: 'test',
	});
	const started: string[] = [];
	const first = openFirstLogin(context, {
		async start(server) {
			started.push(server);
			return {kind: 'cancelled', reason: 'called off'};
		},
		hasTokens: async () => options.hasTokens ?? false,
	});
	const report = (state: 'needs-login' | 'connected') =>
		context.publish({
			type: 'server.state',
			server: 'tracker',
			state,
			tools: 0,
			transport: 'http',
			trust: 'full',
			address: '',
		});
	const settle = () => new Promise(resolve => setImmediate(resolve));
	return {first, started, report, settle};
}

describe('the first login of a server', () => {
	test('is started when a person is there', async () => {
		const {first, started, report, settle} = await open({});
		first.addPerson();
		report('needs-login');
		await settle();
		expect(started).toEqual(['tracker']);
	});

	test('is started when a person comes', async () => {
		const {first, started, report, settle} = await open({});
		report('needs-login');
		await settle();
		expect(started).toEqual([]);
		first.addPerson();
		await settle();
		expect(started).toEqual(['tracker']);
	});

	test('waits for a person at a display: one who came over SSH is not before the one of this machine', async () => {
		const {first, started, report, settle} = await open({});
		first.addPerson('nowhere');
		report('needs-login');
		await settle();
		expect(started).toEqual([]);
		first.addPerson('console');
		await settle();
		expect(started).toEqual(['tracker']);
	});

	test('is started once', async () => {
		const {first, started, report, settle} = await open({});
		first.addPerson();
		for (const state of ['needs-login', 'connected', 'needs-login'] as const) {
			report(state);
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
		const {first, started, report, settle} = await open(options);
		const leave = first.addPerson();
		if (person === 'leave') {
			leave();
		}

		report('needs-login');
		await settle();
		expect(started).toEqual([]);
	});
});
