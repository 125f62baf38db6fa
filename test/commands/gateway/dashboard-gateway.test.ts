import {expect, onTestFinished, test, vi} from 'vitest';
import {createDashboardGateway} from '../../../source/commands/gateway/dashboard-gateway.ts';
import {type GatewayEvent} from '../../../source/state/event.ts';
import {connectTo} from '../../control/control-fixture.ts';
import {createTestRuntime} from '../../helpers/gateway-parts.ts';
import {callsOf, runGateway} from '../../helpers/running-gateway.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

test.each(['own', 'attached'] as const)(
	'commands that are given before the console is open are carried out once it is (%s)',
	async way => {
		const home = temporaryDirectory();
		const running = way === 'attached' ? await connectTo((await runGateway('', home)).paths.controlSocket) : undefined;
		const flags = {demo: false, dashboard: 'allowed', ascii: false, readOnly: false} as const;
		const runtime = createTestRuntime(home);
		const seen: GatewayEvent[] = [];
		const gateway = createDashboardGateway(
			runtime,
			{...runtime, flags, onSignal: () => () => undefined},
			{
				running,
				onStopAsked: () => undefined,
				onFailure(error) {
					throw error;
				},
			},
		);
		gateway.subscribe(event => void seen.push(event));
		onTestFinished(() => gateway.leave('the test ended'));
		const {send, ends} = callsOf(gateway.call, event => seen.push(event), runtime.eventBus);
		send({method: 'mcp.view-tools', params: {}});
		gateway.start();
		send({method: 'rules.view', params: {}});
		// It changes something: a login to a server that is not there is refused.
		send({method: 'mcp.login', params: {server: 'none', document: 'try-again'}, profile: 'default'});
		const expected = ['view.rules', 'view.tools'];
		const answers = () => seen.map(({type}) => type).filter(type => expected.includes(type));
		await vi.waitFor(() => expect(answers().toSorted()).toEqual(expected), {timeout: 20_000});
		await vi.waitFor(() => expect(ends).toHaveLength(3), {timeout: 20_000});
		expect(ends.find(({kind}) => kind === 'problem')).toMatchObject({call: {params: {server: 'none'}}});
	},
);
