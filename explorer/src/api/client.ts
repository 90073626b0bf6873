// SPDX-License-Identifier: Apache-2.0
/** An answer that is an error, or no answer at all. */
export class ApiError extends Error {
	/** Status of the answer, or 0 if there was none. */
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}

	get notFound(): boolean {
		return this.status === 404;
	}

	/** True if the same request will be refused each time. */
	get malformed(): boolean {
		return this.status === 400;
	}
}

/** Requests `path`, such as `/v1/status`, and returns the JSON of the answer. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
	let answer: Response;
	try {
		answer = await fetch(path, { headers: { Accept: 'application/json' }, ...(signal && { signal }) });
	} catch (error) {
		if (signal?.aborted) throw error;
		throw new ApiError(0, 'The indexer does not answer.');
	}
	const body: unknown = await answer.json().catch(() => undefined);
	if (!answer.ok) throw new ApiError(answer.status, messageOf(body) ?? `The indexer answered with status ${answer.status}.`);
	if (body === undefined) throw new ApiError(answer.status, 'The answer of the indexer is not valid JSON.');
	return body as T;
}

function messageOf(body: unknown): string | undefined {
	const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
	return typeof message === 'string' && message !== '' ? message : undefined;
}

/** Returns `error` as an [`ApiError`]. */
export function asApiError(error: unknown): ApiError {
	return error instanceof ApiError ? error : new ApiError(0, String(error));
}

/** Appends the given parameters to `path`. Those without a value are omitted. */
export function withQuery(path: string, parameters: Record<string, string | number | undefined>): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		if (value !== undefined && value !== '') query.set(name, String(value));
	}
	const text = query.toString();
	if (text === '') return path;
	return `${path}${path.includes('?') ? '&' : '?'}${text}`;
}
