import {createHash, timingSafeEqual} from 'node:crypto';
import {type SignedRequest} from './verifier.ts';

/**
What Twilio may have signed: the address, followed by the sorted fields of a form; of any other body the address names the hash.
Empty when the body is neither: then its signature would say nothing about it.
*/
export function twilioContents(request: SignedRequest, body: Uint8Array, url: string | undefined): readonly Buffer[] {
	const tail = isForm(request) ? formText(body) : isHashed(request.target, body) ? '' : undefined;
	return tail === undefined ? [] : addresses(request, url).map(address => Buffer.from(address + tail, 'utf8'));
}

/** A proxy ends TLS, so the request does not say by which scheme it was called; whoever has no key can sign neither. */
function addresses({headers, target}: SignedRequest, url: string | undefined): readonly string[] {
	if (url !== undefined) {
		const query = target.indexOf('?');
		return [url.includes('?') || query === -1 ? url : url + target.slice(query)];
	}

	const host = Buffer.from(headers.get('host') ?? '', 'latin1').toString('utf8');
	return [`https://${host}${target}`, `http://${host}${target}`];
}

function isForm({headers}: SignedRequest): boolean {
	const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
	return type === 'application/x-www-form-urlencoded';
}

/** Fields by name; of a repeated one each value once, sorted. */
function formText(body: Uint8Array): string {
	const form = new URLSearchParams(Buffer.from(body).toString('utf8'));
	return [...new Set(form.keys())]
		.sort()
		.flatMap(name => [...new Set(form.getAll(name))].sort().map(value => name + value))
		.join('');
}

function isHashed(target: string, body: Uint8Array): boolean {
	const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
	const named = Buffer.from((target.includes('?') && query.get('bodySHA256')) || '', 'latin1');
	const actual = Buffer.from(createHash('sha256').update(body).digest('hex'));
	return named.length === actual.length && timingSafeEqual(named, actual);
}
