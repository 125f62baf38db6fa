import {type LoginFlow} from '../config/oauth-entry.ts';
import {browserFlow} from './browser-flow.ts';
import {callbackPlan} from './callback-port.ts';
import {openCallbackServer} from './callback-server.ts';
import {deviceFlow} from './device-flow.ts';
import {type Granted} from './granted.ts';
import {type LoginOrder, type LoginTools} from './login-order.ts';
import {type LoginSteps} from './login-steps.ts';

/** What former logins left that this one may use. */
export type Kept = {readonly record: LoginSteps['record']; readonly documentRefused: boolean};

type Walk = {
	readonly order: LoginOrder;
	readonly tools: LoginTools;
	readonly kept: Kept;
	readonly prepare: () => Promise<LoginSteps>;
};

type Walked = {readonly steps: LoginSteps; readonly granted: Granted};

/** Runs the flow that was ordered, and no other. Rejects as the flows do. */
export function runFlow(walk: Walk): Promise<Walked> {
	return flows[walk.order.flow](walk);
}

const flows: Readonly<Record<LoginFlow, (walk: Walk) => Promise<Walked>>> = {
	async device({prepare}) {
		const steps = await prepare();
		return {steps, granted: await deviceFlow(steps)};
	},
	async browser({order, tools, kept, prepare}) {
		const {oauth, server} = order.target;
		const {openBrowser, store} = tools;
		const callback = await openCallbackServer(callbackPlan({oauth, ...kept}));
		try {
			order.onCallback(callback.accept);
			const steps = await prepare();
			const refuseDocument = () => store.markDocument(server, 'refused');
			const granted = await browserFlow({...steps, callback, refuseDocument, ...(openBrowser && {openBrowser})});
			return {steps, granted};
		} finally {
			await callback.close();
		}
	},
};
