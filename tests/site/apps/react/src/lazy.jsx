export const Component = () => (
  <>
    <h1>Something heavy</h1>
    <p>This page came in a piece of its own.</p>
  </>
);
