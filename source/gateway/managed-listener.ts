import {
	createEndpointListener,
	type EndpointListener,
	type EndpointListenerOptions,
} from '../tools/endpoint/endpoint-listener.ts';

/** A listener of the endpoint that stays while its address does. */
export type ManagedListener = {
	/** Listens there and answers the base address. Rejects with `port_in_use` or `listen_failed`. */
	readonly listen: (address: {readonly host: string; readonly port: number}) => Promise<string>;
	/** Ends the sessions of profiles that are not named. */
	readonly keep: (profiles: readonly string[]) => Promise<void>;
	readonly close: () => Promise<void>;
};

/** Builds one that does not listen yet. */
export function createManagedListener(options: EndpointListenerOptions): ManagedListener {
	let open: {readonly key: string; readonly url: string; readonly listener: EndpointListener} | undefined;
	const close = async () => {
		const before = open;
		open = undefined;
		await before?.listener.close();
	};

	return {
		close,
		async listen({host, port}) {
			const key = `${host} ${port}`;
			if (open?.key !== key) {
				await close();
				const listener = createEndpointListener(options);
				open = {key, url: await listener.listen({host, port}), listener};
			}

			return open.url;
		},
		async keep(profiles) {
			await open?.listener.keep(profiles);
		},
	};
}
