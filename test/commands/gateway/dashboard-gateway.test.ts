import {expect, onTestFinished, test, vi} from 'vitest';
import {createDashboardGateway} from '../../../source/commands/gateway/dashboard-gateway.ts';
import {type GatewayEvent} from '../../../source/state/event.ts';
import {connectTo} from '../../control/control-fixture.ts';
import {createTestRuntime} from '../../helpers/gateway-parts.ts';
import {commandsOf, runGateway} from '../../helpers/running-gateway.ts';
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
				feed: {receive: event => void seen.push(event), replace: () => undefined},
				onStopAsked: () => undefined,
				onFailure(error) {
					throw error;
				},
			},
		);
		onTestFinished(() => gateway.leave('the test ended'));
		const {send} = commandsOf(gateway.call, event => seen.push(event), runtime.eventBus);
		send({type: 'show-tools'});
		gateway.start();
		send({type: 'show-rules'});
		// It changes something: a login to a server that is not there is refused.
		send({type: 'start-login', server: 'none', profile: 'default'});
		const expected = ['view.refused', 'view.rules', 'view.tools'];
		const answers = () => seen.map(({type}) => type).filter(type => expected.includes(type));
		await vi.waitFor(() => expect(answers().toSorted()).toEqual(expected), {timeout: 20_000});
		expect(seen.find(({type}) => type === 'view.refused')).toMatchObject({id: 'none'});
	},
);
