import { render } from "solid-js/web";
import { A, HashRouter, Route, useNavigate, useParams } from "@solidjs/router";

const Front = () => {
  const go = useNavigate();
  return (
    <>
      <h1>Guide</h1>
      <A href="/steps/1">First step</A> <A href="/steps/2">Second step</A>
      <div style={{ cursor: "pointer" }} onClick={() => go("/faq")}>Questions</div>
    </>
  );
};
const Step = () => {
  const params = useParams();
  return <><h1>Step {params.number}</h1><p>What is to be done in step {params.number}.</p></>;
};
const Questions = () => <><h1>Questions</h1><p>What people ask, and what we say to it.</p></>;

render(
  () => (
    <HashRouter>
      <Route path="/" component={Front} />
      <Route path="/steps/:number" component={Step} />
      <Route path="/faq" component={Questions} />
    </HashRouter>
  ),
  document.getElementById("root")
);
