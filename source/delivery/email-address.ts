/** A single address: no list, group, display name or line break. */
export const emailAddress = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/u;

/** The sender as written, and its address without a name; undefined when it is none. */
export function emailSender({from, user}: {readonly from: string; readonly user: string}): {
	readonly written: string;
	readonly address: string | undefined;
} {
	const written = from || user;
	const address = /<([^<>]+)>$/u.exec(written)?.[1] ?? written;
	return {written, address: emailAddress.test(address) ? address : undefined};
}
