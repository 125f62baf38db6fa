/** A person with a browser: keeps cookies, follows redirects until `meet` says stop. Answers the last address and its page. */
export async function browse(
	start: string,
	meet: RequestContext['meet'] = () => 'go on',
): Promise<{readonly url: string; readonly status: number; readonly page: string}> {
	const jar = new Map<string, string>();
	return visit(start, {jar, meet});
}

/** Opens the address of a device login and presses the button. */
export async function confirmDevice(address: string, answer: 'confirm' | 'abort' = 'confirm'): Promise<void> {
	const jar = new Map<string, string>();
	let {url, page} = await visit(address, {jar});
	// First page: the code, sent by a script; second page: yes or no.
	for (let step = 0; step < 2 && page.includes('name="xsrf"'); step++) {
		const form = new URLSearchParams(
			[...page.matchAll(/<input[^>]*name="(xsrf|user_code)"[^>]*value="([^"]*)"/gu)].map(
				([, name = '', value = '']): [string, string] => [name, value],
			),
		);
		if (step > 0) {
			form.set(answer, 'yes');
		}

		const action = /action="([^"]+)"/u.exec(page)?.[1] ?? url;
		({url, page} = await visit(new URL(action, url).href, {jar, form}));
	}
}

type RequestContext = {
	readonly jar: Map<string, string>;
	readonly form?: URLSearchParams;
	/** Sees each address before it is opened. */
	readonly meet?: (url: string) => 'stop' | 'go on';
};

async function visit(start: string, {jar, form, meet}: RequestContext) {
	let url = start;
	let body: URLSearchParams | undefined = form;
	for (let hop = 0; hop < 12; hop++) {
		if (meet?.(url) === 'stop') {
			return {url, status: 0, page: ''};
		}

		const answer = await fetch(url, {
			method: body ? 'POST' : 'GET',
			body: body ?? null,
			redirect: 'manual',
			headers: {cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '), accept: 'text/html'},
		});
		for (const cookie of answer.headers.getSetCookie()) {
			const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
			jar.set(name, value);
		}

		const location = answer.headers.get('location');
		if (answer.status < 300 || answer.status >= 400 || location === null) {
			return {url, status: answer.status, page: await answer.text()};
		}

		url = new URL(location, url).href;
		body = undefined;
	}

	throw new Error(`too many redirects at ${url}`);
}
