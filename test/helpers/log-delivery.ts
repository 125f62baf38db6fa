import {createDeliver, type Deliver} from '../../source/delivery/deliver.ts';
import {openPlatforms} from '../../source/delivery/open-platforms.ts';
import {type Publish} from '../../source/state/event.ts';
import {type Clock} from '../../source/util/clock.ts';

/** The door to the targets where no platform is configured: the log can be delivered to. */
export function openLogDelivery({clock, publish}: {readonly clock: Clock; readonly publish: Publish}): Deliver {
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
	return createDeliver({clock, publish, platforms});
}
