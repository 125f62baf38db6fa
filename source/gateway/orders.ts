import {type Command, type Send} from '../state/command.ts';
import {toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {approvalOrder} from './orders/approval-order.ts';
import {callOrder} from './orders/call-order.ts';
import {cronOrder} from './orders/cron-order.ts';
import {loginOrder} from './orders/login-order.ts';
import {type OrderTargets} from './orders/order-targets.ts';
import {runOrder} from './orders/run-order.ts';
import {serverOrder} from './orders/server-order.ts';
import {type Profile, type Profiles} from './profiles.ts';
import {webhookOrder} from './orders/webhook-order.ts';

/** Builds the receiver of a person's orders. An order that cannot be carried out is told as a log event. */
export function createOrders(targets: Omit<OrderTargets, keyof Profile> & {readonly profiles: Profiles}): Send {
	const {profiles} = targets;
	const {publish} = profiles.first.foundation;
	const obey = async (command: Command) => carryOut(command, {...targets, ...addressee(command, profiles)});
	return command => {
		obey(command).catch((caught: unknown) => {
			const {message, detail} = toProblem(caught);
			const text = safeText(detail ? `${message} (${detail})` : message);
			publish({type: 'log', level: 'error', area: 'orders', text});
		});
	};
}

/** Orders about a run or inbox item that is there already. */
const aboutRuns: ReadonlySet<Command['type']> = new Set([
	'follow-up-run',
	'cancel-run',
	'answer-inbox',
	'close-inbox-item',
]);

/** Whom an order is for. Runs and inbox items outlive the service of their profile; the first one then answers for them. */
function addressee({type, profile}: Command, {all, first, find}: Profiles): Profile {
	return aboutRuns.has(type) ? (all.find(({name}) => name === profile) ?? first) : find(profile);
}

/** One room's orders to one file; each of them knows its own. */
async function carryOut(command: Command, targets: OrderTargets): Promise<void> {
	switch (command.type) {
		case 'answer-approval':
		case 'answer-question':
		case 'answer-proposal':
		case 'show-rules':
		case 'revoke-rule':
			return approvalOrder(command, targets);
		case 'reconnect-server':
		case 'set-server-enabled':
		case 'add-server':
		case 'show-server-log':
			return serverOrder(command, targets);
		case 'start-login':
		case 'cancel-login':
		case 'finish-login':
			return loginOrder(command, targets);
		case 'show-tools':
		case 'call-tool':
		case 'cancel-call':
		case 'resolve-uncertain':
		case 'repeat-uncertain':
			return callOrder(command, targets);
		case 'enable-webhooks':
		case 'set-route-paused':
		case 'show-event':
		case 'dry-run-event':
		case 'replay-event':
			return webhookOrder(command, targets);
		case 'start-run':
		case 'follow-up-run':
		case 'cancel-run':
		case 'answer-inbox':
		case 'close-inbox-item':
			return runOrder(command, targets);
		case 'run-job':
		case 'set-job-paused':
			return cronOrder(command, targets);
		case 'reload':
			await targets.reload();
			return;
		case 'start-demo':
		case 'stop':
			targets.leave(command);
	}
}
