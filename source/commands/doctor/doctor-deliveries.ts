import {type FailedDeliveryJson} from '../../state/json/event.ts';
import {failedDeliveryToJson} from '../../control/to-wire.ts';
import {listFailedDeliveries} from '../../gateway/failed-deliveries.ts';
import {type JournalReader} from '../../journal/journal.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, trouble} from './finding.ts';

/** Where deliveries have failed since the last one that arrived (docs/delivery.md, Failed deliveries). */
export async function checkDeliveries(
	main: CheckedProfile,
	{journal, signal}: {readonly journal: JournalReader | undefined; readonly signal: AbortSignal},
): Promise<readonly Finding[]> {
	const stored = async () =>
		journal && (await listFailedDeliveries(journal, main.paths.profile)).map(failedDeliveryToJson);
	const failed = await (main.client ? main.client.call('deliveries.failed', {}, {signal}) : stored());
	return (failed ?? []).map(delivery => deliveryFinding(delivery, main));
}

function deliveryFinding(delivery: FailedDeliveryJson, {checkName, command}: CheckedProfile): Finding {
	const {route, job, target, failures, reason, event_id: event} = delivery;
	const check = job === null ? (route === null ? `deliveries to ${target}` : `route ${route}`) : `job ${job}`;
	const count = failures === 1 ? 'A delivery' : `${failures} deliveries`;
	const again =
		event === null ? 'send another' : `send the last one again: ${command('events', 'replay', event, '--deliver')}`;
	return trouble(checkName(check), 'warning', {
		message: `${count} to ${target} failed since the last one that arrived: ${reason}`,
		remedy: `Correct what ${target} refuses, then ${again}`,
	});
}
