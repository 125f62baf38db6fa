import {type Lookup} from '../../source/net/address-guard.ts';

/** A name server in this process: `addressesOf` answers a name with its addresses, or undefined for one that is unknown. */
export function nameServer(addressesOf: (name: string) => readonly string[] | undefined): Lookup {
	const lookup = (name: string, _: unknown, callback: (error: Error | null, addresses: object[]) => void) => {
		const addresses = addressesOf(name);
		callback(
			addresses ? null : new Error('unknown name'),
			(addresses ?? []).map(address => ({address, family: address.includes(':') ? 6 : 4})),
		);
	};
	// Only the overload for all addresses is used.
	return lookup as unknown as Lookup;
}
