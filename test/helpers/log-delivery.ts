import {createDeliver} from '../../source/delivery/deliver.ts';
import {openPlatforms} from '../../source/delivery/open-platforms.ts';
import {type DeliverStored} from '../../source/runs/send-stored-message.ts';
import {type Publish} from '../../source/state/event.ts';
import {type Clock} from '../../source/util/clock.ts';

/** The door to the targets where no platform is configured: the log can be delivered to. */
export function openLogDelivery({clock, publish}: {readonly clock: Clock; readonly publish: Publish}): DeliverStored {
	const scope = {variables: () => undefined, expand: (text: string) => text};
	const platforms = openPlatforms({
		clock,
		publish,
		scope,
		configured: () => [],
		learn: () => undefined,
		learnPassing: () => undefined,
		stateFile: async () => ({}),
	});
	const deliver = createDeliver({clock, publish, platforms});
	return (deliveries, options) => Promise.all(deliveries.map(delivery => deliver(delivery, options)));
}
