import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

const plugins = [remarkGfm];

const components: Components = {
  a: ({ href, children }) =>
    href === undefined || href === "" ? (
      <span>{children}</span>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ),
  // A picture would tell a stranger's server that somebody reads this.
  img: ({ src, alt }) => (
    <span className="soft">
      [picture{alt ? `: ${alt}` : ""}]{typeof src === "string" && src !== "" ? ` ${src}` : ""}
    </span>
  ),
  table: ({ children }) => (
    <div className="markdown-table">
      <table>{children}</table>
    </div>
  ),
};

/** The renderer behind `Markdown`, loaded when the first text is shown. */
export function MarkdownView({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} skipHtml>
      {text}
    </ReactMarkdown>
  );
}
