import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {browserFlow} from './browser-flow.ts';
import {callbackPlan} from './callback-port.ts';
import {openCallbackServer} from './callback-server.ts';
import {deviceFlow} from './device-flow.ts';
import {type Granted} from '../tokens/granted.ts';
import {type LoginRequest, type LoginTools} from '../login-request.ts';
import {type LoginSteps} from '../login-steps.ts';

/** What former logins left that this one may use. */
export type PreviousLogin = {
	readonly documentRefused: boolean;
	/** Absent when its registration is not to be used again. */
	readonly record: LoginSteps['record'];
	/** The tokens of the former login, whatever becomes of its registration. */
	readonly former: LoginSteps['record'];
};

type FlowContext = {
	readonly request: LoginRequest;
	readonly tools: LoginTools;
	readonly previous: PreviousLogin;
	readonly prepare: () => Promise<LoginSteps>;
};

type FlowResult = {readonly steps: LoginSteps; readonly granted: Granted};

/** Runs the flow that was requested, and no other. Rejects as the flows do. */
export function runFlow(context: FlowContext): Promise<FlowResult> {
	return flows[context.request.flow](context);
}

const flows: Readonly<Record<LoginFlow, (context: FlowContext) => Promise<FlowResult>>> = {
	async device({prepare}) {
		const steps = await prepare();
		return {steps, granted: await deviceFlow(steps)};
	},
	async browser({request, tools, previous, prepare}) {
		const {oauth, server} = request.target;
		const {openBrowser, store} = tools;
		const callback = await openCallbackServer(
			callbackPlan({oauth, record: previous.record, documentRefused: previous.documentRefused}),
		);
		try {
			request.onCallback(callback.accept);
			const steps = await prepare();
			const refuseDocument = () => store.markDocument(server, 'refused');
			const granted = await browserFlow({...steps, callback, refuseDocument, ...(openBrowser && {openBrowser})});
			return {steps, granted};
		} finally {
			await callback.close();
		}
	},
};
